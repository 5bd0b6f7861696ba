"""Whether texts are those that a table was trained on."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from bpe_studio.bpe.training_record import TrainingRecord

__all__ = ["is_training_corpus"]


def is_training_corpus(
    record: TrainingRecord,
    fingerprint: str,
    *,
    read: Collection[str] = (),
    sizes: Mapping[str, int] | None = None,
) -> bool:
    """Whether a corpus is the one of a training, or that with what the training left out.

    Parameters
    ----------
    fingerprint : of all that was read
    read : labels of the files that were read
    sizes : of the files on disk, by label; None where they are not known
    """
    if fingerprint and record.corpus.get("fingerprint") == fingerprint:
        return True
    if not (record.without or record.hold_out) or sizes is None:
        return False
    # Left out or held out, files are no part of the fingerprint in the record.
    listed = {file["path"]: file["size"] for file in record.corpus.get("files", [])}
    others = set(read) - set(listed) - set(record.without)
    return not others and all(sizes.get(label) == size for label, size in listed.items())
