"""Arrays in, arrays out, without the interpreter lock; the only room with numba.

Compiled code is kept in the user's cache folder: an installation may be read-only.
"""

import os

import platformdirs

os.environ.setdefault(
    "NUMBA_CACHE_DIR", os.path.join(platformdirs.user_cache_dir("bpe-studio", False), "kernels")
)
