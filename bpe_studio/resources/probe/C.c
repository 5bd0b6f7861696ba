/*
 * A ring buffer for samples of a sensor: one thread writes, another one reads.
 * The size is a power of two, so that positions wrap with a mask.
 */
#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define RING_BITS 10u
#define RING_SIZE (1u << RING_BITS)
#define RING_MASK (RING_SIZE - 1u)
#define ARRAY_LEN(a) (sizeof(a) / sizeof((a)[0]))

typedef struct {
    uint64_t time_ns;
    int32_t  value;
    uint16_t channel;
    uint16_t flags;
} sample_t;

struct ring {
    sample_t *items;
    volatile uint32_t head; /* written by the producer only */
    volatile uint32_t tail; /* written by the consumer only */
    unsigned long dropped;
};

enum { FLAG_NONE = 0x00, FLAG_CLIPPED = 0x01, FLAG_STALE = 0x80 };

static int ring_init(struct ring *r)
{
    memset(r, 0, sizeof *r);
    r->items = calloc(RING_SIZE, sizeof *r->items);
    return r->items ? 0 : -ENOMEM;
}

static bool ring_push(struct ring *r, const sample_t *s)
{
    uint32_t head = r->head;

    if (head - r->tail == RING_SIZE) {
        r->dropped++;
        return false;
    }
    r->items[head & RING_MASK] = *s;
    r->head = head + 1;
    return true;
}

static size_t ring_pop(struct ring *r, sample_t *out, size_t max)
{
    size_t n = 0;

    while (n < max && r->tail != r->head) {
        out[n++] = r->items[r->tail & RING_MASK];
        r->tail++;
    }
    return n;
}

/* CRC-16 with the polynomial x^16 + x^12 + x^5 + 1. */
static uint16_t crc16(const unsigned char *data, size_t len)
{
    uint16_t crc = 0xFFFF;

    for (size_t i = 0; i < len; ++i) {
        crc ^= (uint16_t)(data[i] << 8);
        for (int bit = 0; bit < 8; bit++)
            crc = (crc & 0x8000) ? (uint16_t)((crc << 1) ^ 0x1021) : (uint16_t)(crc << 1);
    }
    return crc;
}

int main(int argc, char **argv)
{
    static const char *const names[] = { "pressure", "temperature", "depth" };
    struct ring ring;
    sample_t batch[64];
    long wanted = argc > 1 ? strtol(argv[1], NULL, 10) : 100L;

    if (ring_init(&ring) != 0) {
        fprintf(stderr, "%s: out of memory\n", argv[0]);
        return EXIT_FAILURE;
    }
    for (long i = 0; i < wanted; i++) {
        sample_t s = { .time_ns = (uint64_t)i * 1000000ull, .value = (int32_t)(i * i % 977 - 488) };
        s.channel = (uint16_t)(i % (long)ARRAY_LEN(names));
        s.flags = s.value > 450 || s.value < -450 ? FLAG_CLIPPED : FLAG_NONE;
        if (!ring_push(&ring, &s))
            break;
    }
    for (size_t n; (n = ring_pop(&ring, batch, ARRAY_LEN(batch))) > 0;) {
        uint16_t sum = crc16((const unsigned char *)batch, n * sizeof batch[0]);
        printf("%4zu samples, last %-12s %+5d, crc 0x%04x\n", n, names[batch[n - 1].channel],
               (int)batch[n - 1].value, sum);
    }
    free(ring.items);
    return ring.dropped ? 1 : 0;
}
