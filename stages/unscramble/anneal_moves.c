#include "stages/unscramble/anneal_moves.h"

#include "random.h"
#include "stages/unscramble/anneal_part.h"

/* A random area has sides of up to MAX_SIDE, each further place with one chance in MORE. One move
 * in ANYWHERE exchanges areas at two unsettled places, one in TRANSLATION moves the whole board,
 * one in SLIDE exchanges what lies on both sides of a seam, and one in TURN turns an area. */
enum { MAX_SIDE = 8, MORE = 4, ANYWHERE = 10, TRANSLATION = 1024, SLIDE = 64, TURN = 256 };

/* One in GROWN of the moves that bring a tile to a partner takes with it the area around it up to
 * seams that look wrong, unless that has more than LARGEST_GROWN places. */
enum { GROWN = 4, LARGEST_GROWN = 16 };

/* Where places are empty, one in LOOSE of the moves that bring a tile to a partner takes a part of
 * any shape instead. Chance chooses how many tiles it may have, SMALLEST times a power of two below
 * 2^SIZES, and from which cost on a joint ends it, LEAST_LIMIT to that of an empty place. */
enum { LOOSE = 16, SMALLEST = 4, SIZES = 8, LEAST_LIMIT = 400 };

/* Areas that slide past each other take one more line whose joint at the seam does not look wrong,
 * and go on past a wrong seam at which they could end, with one chance in FURTHER each time. */
enum { FURTHER = 4 };

/* Whether the joints before a place of all lines from `line` to `last_line` together cost as much
 * as ties, or more. */
static int is_wrong_seam(
    const struct annealing *s, int direction, int line, int last_line, int along)
{
    int64_t sum = 0;
    for (; line <= last_line; line++)
        sum += previous_joint(s, direction, line, along) - TIE_COST;
    return sum >= 0;
}

static int has_empty_places(const struct annealing *s)
{
    return s->tiles < s->p->columns * s->p->rows;
}

static int random_side(struct annealing *s)
{
    int side = 1;
    for (uint64_t bits = random_bits(&s->random); side < MAX_SIDE && bits % MORE == 0; bits /= MORE)
        side++;
    return side;
}

/* An area of random size with a place in it. */
static struct area random_area(struct annealing *s, int place)
{
    const int columns = s->p->columns, width = random_side(s), height = random_side(s);
    const int x = random_index(&s->random, width), y = random_index(&s->random, height);
    return (struct area){place % columns - x, place / columns - y, width, height};
}

/* The area around a place up to seams that look wrong; one of width 0 if it would have more than
 * `largest` places. It depends on the side that it begins to grow at. */
static struct area grow_area(struct annealing *s, int place, int largest)
{
    const int columns = s->p->columns, rows = s->p->rows;
    const int x = place % columns, y = place / columns;
    int box[4] = {x, y, x, y}; /* least x, y, greatest x, y: where the sides lie */
    for (int side = random_index(&s->random, 4), ended = 0; ended < 4; side = (side + 1) & 3) {
        const int is_row = side & 1, along = box[side] + (side >= 2);
        if (along == 0 || along == (is_row ? rows : columns) ||
            is_wrong_seam(s, 2 + is_row, box[!is_row], box[2 + !is_row], along)) {
            ended++;
            continue;
        }
        ended = 0;
        box[side] += side < 2 ? -1 : 1;
        if ((box[2] - box[0] + 1) * (box[3] - box[1] + 1) > largest)
            return (struct area){0};
    }
    return (struct area){box[0], box[1], box[2] - box[0] + 1, box[3] - box[1] + 1};
}

/* What would fit better: the tile at `place` comes to `target`, turned clockwise by `quarters`. */
struct fit {
    int target, place, quarters;
};

/* Tries to bring the tile at fit->place to fit->target, with the area that it lies in. */
static void try_fit(struct annealing *s, const struct fit *fit, const struct area *area)
{
    const int columns = s->p->columns;
    struct move m = {*area, *area, fit->quarters};
    int x, y;
    if (fit->quarters & 1) {
        m.to.width = area->height;
        m.to.height = area->width;
    }
    source_of(-fit->quarters & 3, area->width, area->height, fit->place % columns - area->x,
        fit->place / columns - area->y, &x, &y);
    m.to.x = fit->target % columns - x;
    m.to.y = fit->target / columns - y;
    annealing_try_move(s, &m);
}

/* Exchanges areas of random size at two unsettled places, or where places are empty brings one to
 * any place. */
static void try_anywhere(struct annealing *s)
{
    struct fit fit = {.target = s->unsettled[random_index(&s->random, s->unsettled_count)]};
    fit.place = s->unsettled[random_index(&s->random, s->unsettled_count)];
    if (has_empty_places(s))
        fit.target = random_index(&s->random, s->p->columns * s->p->rows);
    const struct area area = random_area(s, fit.place);
    try_fit(s, &fit, &area);
}

/* Draws two joints and finds a partner, mostly the best one, of an edge at the worse one. Which
 * of the two tiles comes to the other is left to chance. Returns 0 where chance found none. */
static int find_fit(struct annealing *s, struct fit *fit)
{
    const struct problem *p = s->p;
    int at = NOTHING, direction = 0, worst = -1;
    for (int i = 0; i < 2; i++) {
        const int place = s->unsettled[random_index(&s->random, s->unsettled_count)];
        const int toward = random_index(&s->random, 4),
                  beside = s->costs->beside[4 * place + toward];
        if (beside == NOTHING)
            continue;
        const int cost = joint_toward(s, place, beside, toward);
        if (cost > worst) {
            worst = cost;
            at = place;
            direction = toward;
        }
    }
    if (at == NOTHING || s->board[at] >= s->costs->empty)
        return 0;
    const int last = p->c->width - 1,
              skipped = __builtin_ctzll(random_bits(&s->random) | 1ull << 63);
    const int32_t edge = oriented_edge(s->board[at], direction);
    const int32_t partner = partners_of(p->c, edge)[skipped < last ? skipped : last].edge;
    if (partner == NOTHING || s->place[partner / 4] == NOTHING)
        return 0;
    const int place = s->place[partner / 4];
    const int quarters = (oriented_by_edge(partner, direction ^ 2) - s->board[place]) & 3;
    if (random_index(&s->random, 2) == 0)
        *fit = (struct fit){s->costs->beside[4 * at + direction], place, quarters};
    else
        *fit = (struct fit){
            s->costs->beside[4 * place + ((direction + 2 - quarters) & 3)], at, -quarters & 3};
    return fit->target != NOTHING;
}

static void try_partner(struct annealing *s)
{
    struct fit fit;
    if (!find_fit(s, &fit))
        return;
    if (has_empty_places(s) && random_index(&s->random, LOOSE) == 0) {
        const int limit =
            LEAST_LIMIT + random_index(&s->random, s->costs->empty_cost - LEAST_LIMIT);
        const struct loose_part part = {
            fit.place, limit, SMALLEST << random_index(&s->random, SIZES)};
        annealing_try_part(s, &part, fit.target, fit.quarters);
        return;
    }
    const struct area area = random_index(&s->random, GROWN)
                                 ? random_area(s, fit.place)
                                 : grow_area(s, fit.place, LARGEST_GROWN);
    if (area.width)
        try_fit(s, &fit, &area);
}

/* Turns an area of up to half of the board where it is: a row or a lake at the border of the image
 * has few joints that tell which way round it lies. */
static void try_turn(struct annealing *s)
{
    const int place = s->unsettled[random_index(&s->random, s->unsettled_count)];
    const struct area area = grow_area(s, place, s->p->columns * s->p->rows / 2);
    const int by_quarters = s->p->c->turns == TURNS_ANY && area.width == area.height;
    if (area.width)
        annealing_try_move(
            s, &(struct move){area, area, by_quarters ? 1 + random_index(&s->random, 3) : 2});
}

/* Moves the whole board so that a random seam comes to its border, and what was its border inside:
 * nearly all of a board may be right but beside its place. */
static void try_translation(struct annealing *s)
{
    struct slide n = {.direction = 2 + random_index(&s->random, 2)};
    n.end = n.direction == SIDE_RIGHT ? s->p->columns : s->p->rows;
    n.last_line = (n.direction == SIDE_RIGHT ? s->p->rows : s->p->columns) - 1;
    n.seam = 1 + random_index(&s->random, n.end);
    if (n.seam < n.end)
        annealing_try_slide(s, &n);
}

/* Whether a seam goes on to a line: it looks wrong there too, or chance says so. */
static int goes_on(struct annealing *s, const struct slide *n, int line)
{
    return previous_joint(s, n->direction, line, n->seam) >= TIE_COST ||
           random_index(&s->random, FURTHER) == 0;
}

/* Exchanges what lies on both sides of a seam that looks wrong, up to the next seams that do. Parts
 * that are right in themselves come past each other so, whatever their widths. */
static void try_slide(struct annealing *s)
{
    const int at = s->unsettled[random_index(&s->random, s->unsettled_count)];
    const int x = at % s->p->columns, y = at / s->p->columns;
    struct slide n = {.direction = 2 + random_index(&s->random, 2)};
    const int lines = n.direction == SIDE_RIGHT ? s->p->rows : s->p->columns;
    const int length = n.direction == SIDE_RIGHT ? s->p->columns : s->p->rows;
    n.line = n.last_line = n.direction == SIDE_RIGHT ? y : x;
    n.seam = n.direction == SIDE_RIGHT ? x : y;
    if (n.seam == 0 || previous_joint(s, n.direction, n.line, n.seam) < TIE_COST)
        return;
    while (n.line > 0 && goes_on(s, &n, n.line - 1))
        n.line--;
    while (n.last_line + 1 < lines && goes_on(s, &n, n.last_line + 1))
        n.last_line++;
    n.first = n.seam - 1;
    while (n.first > 0 && !(is_wrong_seam(s, n.direction, n.line, n.last_line, n.first) &&
                              random_index(&s->random, FURTHER)))
        n.first--;
    n.end = n.seam + 1;
    while (n.end < length && !(is_wrong_seam(s, n.direction, n.line, n.last_line, n.end) &&
                                 random_index(&s->random, FURTHER)))
        n.end++;
    annealing_try_slide(s, &n);
}

void annealing_move(struct annealing *s)
{
    if (s->p->c->turns != TURNS_NONE && random_index(&s->random, TURN) == 0)
        try_turn(s);
    else if (random_index(&s->random, TRANSLATION) == 0)
        try_translation(s);
    else if (random_index(&s->random, SLIDE) == 0)
        try_slide(s);
    else if (random_index(&s->random, ANYWHERE) == 0)
        try_anywhere(s);
    else
        try_partner(s);
}
