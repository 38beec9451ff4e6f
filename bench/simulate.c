/* The simulator of highcardflush/simulate by hand in C, as the yardstick of bench/simulate.py: deal, rank, decide
   (ten-eight-six or better), settle Ante, Raise and both bonuses. The same draws from the same words, so the sums
   must be the same too. Usage: simulate SEATS ROUNDS S0 S1 S2 S3 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef uint64_t u64;
typedef unsigned __int128 u128;

enum { BATCH = 64, SLICE = 8192 };

static u64 s[4], deck[52], batch[BATCH][7], products[7], least[7];
static unsigned char suit_straight[8192];
static const long raises[8] = {0, 0, 1, 1, 1, 2, 3, 3}, flush_pays[8] = {0, 0, 0, 0, 2, 11, 101, 301};
static const long straight_pays[8] = {0, 0, 0, 8, 61, 101, 1001, 8001};
static long antes, raised, antes2, raised2, both, flushes, straights;
static long outcomes[5], outcomes2[5], lengths[8], by_run[8];

static inline u64 rotate(u64 x, int k) { return (x << k) | (x >> (64 - k)); }

static inline u64 next_word(void) {
    u64 word = rotate(s[1] * 5, 7) * 9, t = s[1] << 17;
    s[2] ^= s[0]; s[3] ^= s[1]; s[1] ^= s[2]; s[0] ^= s[3]; s[2] ^= t; s[3] = rotate(s[3], 45);
    return word;
}

static inline void deal(int seats, u64 *hands) {
    u64 left = 52;
    for (int place = 0; place <= seats; place++, left -= 7) {
        u64 fraction, hand;
        do {
            fraction = next_word();
            hand = 0;
            for (u64 i = 0; i < 7; i++) {
                u64 cards = left - i;
                u128 wide = (u128)fraction * cards;
                u64 at = wide >> 64, card = deck[at];
                fraction = (u64)wide;
                deck[at] = deck[cards - 1];
                deck[cards - 1] = card;
                hand += card;
            }
        } while (fraction < products[place] && fraction < least[place]);
        hands[place] = hand;
    }
}

static inline u64 max(u64 a, u64 b) { return a > b ? a : b; }

static inline u64 best_flush(u64 h) {
    return max(max(h & 0xFFFF, h >> 16 & 0xFFFF), max(h >> 32 & 0xFFFF, h >> 48));
}

static inline int best_straight(u64 h) {
    u64 ranks = h & 0x1FFF1FFF1FFF1FFFull, runs = ranks << 1 | (ranks >> 12 & 0x0001000100010001ull);
    if (!(runs & runs << 1 & runs << 2)) return 0;
    return max(max(suit_straight[ranks & 0x1FFF], suit_straight[ranks >> 16 & 0x1FFF]),
               max(suit_straight[ranks >> 32 & 0x1FFF], suit_straight[ranks >> 48]));
}

static inline void settle(int seats, const u64 *hands) {
    u64 dealer = best_flush(hands[seats]);
    int qualifies = dealer >= (3 << 13 | 1 << 7);
    long ante = 0, raise = 0, flush = 0, straight = 0, counts = 0;
    for (int seat = 0; seat < seats; seat++) {
        u64 hand = hands[seat], code = best_flush(hand), length = code >> 13;
        int fold = code < (3 << 13 | 0x150), ahead = (code > dealer) - (code < dealer);
        int outcome = fold ? 0 : qualifies ? 3 + ahead : 1, run = best_straight(hand);
        ante += fold ? -1 : qualifies ? ahead : 1;
        raise += outcome >= 2 ? ahead * raises[length] : 0;
        flush += flush_pays[length];
        counts += 1 << 3 * outcome;
        lengths[length]++;
        if (run) { by_run[run]++; straight += straight_pays[run]; }
    }
    for (int i = 0; i < 5; i++) { long count = counts >> 3 * i & 7; outcomes[i] += count; outcomes2[i] += count * count; }
    antes += ante; raised += raise; antes2 += ante * ante; raised2 += raise * raise; both += ante * raise;
    flushes += flush; straights += straight;
}

static void prepare(void) {
    for (int c = 0; c < 52; c++) deck[c] = (1ull << c % 13 | 1ull << 13) << 16 * (c / 13);
    for (int place = 0; place < 7; place++) {
        products[place] = 1;
        for (int i = 0; i < 7; i++) products[place] *= 52 - 7 * place - i;
        least[place] = -products[place] % products[place];
    }
    for (int mask = 0; mask < 8192; mask++) {
        int length = 0;
        for (int runs = mask << 1 | mask >> 12; runs; runs &= runs << 1) length++;
        suit_straight[mask] = length >= 3 && length <= 7 ? length : 0;
    }
}

int main(int argc, char **argv) {
    struct timespec from, to;
    if (argc != 7) return 2;
    int seats = atoi(argv[1]);
    long rounds = atol(argv[2]);
    double best = 1e9;
    prepare();
    for (int i = 0; i < 4; i++) s[i] = strtoull(argv[3 + i], 0, 10);
    /* In slices, the best of which counts: others use this machine too. */
    for (long done = 0; done < rounds; done += SLICE) {
        clock_gettime(CLOCK_MONOTONIC, &from);
        for (int i = 0; i < SLICE; i += BATCH) {
            for (int j = 0; j < BATCH; j++) deal(seats, batch[j]);
            for (int j = 0; j < BATCH; j++) settle(seats, batch[j]);
        }
        clock_gettime(CLOCK_MONOTONIC, &to);
        double spent = (to.tv_sec - from.tv_sec) + 1e-9 * (to.tv_nsec - from.tv_nsec);
        if (spent < best) best = spent;
    }
    printf("%.6e %ld %ld %ld %ld %ld %ld %ld", best / SLICE, antes, raised, antes2, raised2, both, flushes, straights);
    for (int i = 0; i < 5; i++) printf(" %ld", outcomes[i]);
    for (int i = 0; i < 8; i++) printf(" %ld", lengths[i]);
    for (int i = 3; i < 8; i++) printf(" %ld", by_run[i]);
    for (int i = 0; i < 5; i++) printf(" %ld", outcomes2[i]);
    printf("\n");
    return 0;
}
