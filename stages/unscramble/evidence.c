/* Gathers the evidence for an answer. */
#include "stages/unscramble/evidence.h"

#include <math.h>
#include <stdlib.h>

#include "stages/unscramble/exchange.h"
#include "stages/unscramble/problem.h"

#define NO_JOINT INT32_MIN

struct work {
    const struct evidence_board *b;
    int places, tiles;
    int32_t (*joint)[2];             /* [place] margins to the right and below, or NO_JOINT */
    int32_t *part, *block;           /* [place] disjoint-set forests */
    int32_t *part_size, *block_size; /* [place] of roots */
};

/* The cost of the best partner of an edge that does not look like `partner`; where the list has
 * none, the least that others cost, so that margins are rather too small. */
static int32_t rival_cost(const struct evidence_board *b, int32_t edge, int32_t partner)
{
    const struct partner *list = partners_of(b->compatibility, edge);
    for (int i = 0; i < b->compatibility->width; i++) {
        if (list[i].edge == NOTHING)
            return FAR_COST;
        if (b->alike[list[i].edge] != b->alike[partner])
            return list[i].cost;
    }
    return b->compatibility->unlisted[edge].cost;
}

/* The margin that two edges have or would have. */
static int32_t joint_margin(const struct evidence_board *b, int32_t x, int32_t y)
{
    const int32_t of_x = rival_cost(b, x, y), of_y = rival_cost(b, y, x);
    return (of_x < of_y ? of_x : of_y) - cost_of(b->compatibility, x, y);
}

/* The place beside another toward a direction, or NOTHING where there is none or no tile. */
static int neighbor_of(const struct evidence_board *b, int place, int direction)
{
    const int neighbor = place_beside(b->columns, b->rows, place, direction);
    return neighbor != NOTHING && b->board[neighbor] != NOTHING ? neighbor : NOTHING;
}

static void find_joints(const struct work *w, int place)
{
    const struct evidence_board *b = w->b;
    for (int i = 0; i < 2; i++) {
        const int d = i + 2, neighbor = neighbor_of(b, place, d);
        w->joint[place][i] = b->board[place] == NOTHING || neighbor == NOTHING
                                 ? NO_JOINT
                                 : joint_margin(b, oriented_edge(b->board[place], d),
                                       oriented_edge(b->board[neighbor], d ^ 2));
    }
}

/* Whether the place is the upper left one of a square of four mutual joints. */
static int is_square(const struct work *w, int place)
{
    const int columns = w->b->columns;
    return w->joint[place][0] > 0 && w->joint[place][1] > 0 && w->joint[place + 1][1] > 0 &&
           w->joint[place + columns][0] > 0;
}

/* Connects parts and blocks, and counts their tiles. Gives the size of the largest of each. */
static void connect(const struct work *w, int32_t *largest_part, int32_t *largest_block)
{
    const int columns = w->b->columns;
    for (int i = 0; i < w->places; i++)
        w->part[i] = w->block[i] = i;
    for (int i = 0; i < w->places; i++) {
        if (w->joint[i][0] > 0)
            sets_join(w->part, i, i + 1);
        if (w->joint[i][1] > 0)
            sets_join(w->part, i, i + columns);
        if (is_square(w, i)) {
            sets_join(w->block, i, i + 1);
            sets_join(w->block, i, i + columns);
            sets_join(w->block, i, i + columns + 1);
        }
    }
    *largest_part = *largest_block = 1;
    for (int i = 0; i < w->places; i++) {
        if (w->b->board[i] == NOTHING)
            continue;
        const int32_t part = ++w->part_size[root_of(w->part, i)];
        const int32_t block = ++w->block_size[root_of(w->block, i)];
        *largest_part = part > *largest_part ? part : *largest_part;
        *largest_block = block > *largest_block ? block : *largest_block;
    }
}

/* The cost of an oriented tile at a place; a sum above `most` may be left unfinished. */
static int32_t cost_at(
    const struct evidence_board *b, const int neighbor[4], int32_t oriented, int32_t most)
{
    int32_t sum = 0;
    for (int d = 0; d < 4 && sum <= most; d++)
        if (neighbor[d] != NOTHING)
            sum += joint_cost(b->compatibility, oriented, b->board[neighbor[d]], d);
    return sum;
}

/* The margin of a place, times its joints. */
static int32_t place_margin(const struct evidence_board *b, int place, const int neighbor[4])
{
    const struct compatibility *c = b->compatibility;
    const int32_t own = b->board[place];
    int32_t best = 0;
    for (int d = 0; d < 4; d++)
        best += neighbor[d] != NOTHING ? FAR_COST : 0;
    for (int d = 0; d < 4; d++) {
        if (neighbor[d] == NOTHING)
            continue;
        const struct partner *list = partners_of(c, oriented_edge(b->board[neighbor[d]], d ^ 2));
        for (int i = 0; i < c->width && list[i].edge != NOTHING && list[i].cost < best; i++) {
            const int32_t other = oriented_by_edge(list[i].edge, d);
            int is_taken = b->alike[oriented_edge(other, 0)] == b->alike[oriented_edge(own, 0)];
            for (int k = 0; k < 4; k++)
                is_taken |= neighbor[k] != NOTHING && b->board[neighbor[k]] >> 2 == other >> 2;
            const int32_t cost = is_taken ? best : cost_at(b, neighbor, other, best);
            best = cost < best ? cost : best;
        }
    }
    return best - cost_at(b, neighbor, own, INT32_MAX);
}

/* The margin of an edge with its first choice where that is mutual, and is not at hand; or 0. */
static int32_t unmet_by(const struct evidence_board *b, int32_t edge, int32_t met)
{
    const int32_t first = partners_of(b->compatibility, edge)->edge;
    if (first == NOTHING || (met != NOTHING && b->alike[first] == b->alike[met]))
        return 0;
    const int32_t margin = joint_margin(b, edge, first);
    return margin > 0 ? margin : 0;
}

static void gather_place(const struct work *w, int place, float e[PLACE_EVIDENCE])
{
    const struct evidence_board *b = w->b;
    const int columns = b->columns, x = place % columns, y = place / columns;
    int neighbor[4], joints = 0, mutual = 0, unmet = 0, squares = 0;
    int32_t in_favor = 0, against = 0, missed = 0;
    for (int d = 0; d < 4; d++) {
        neighbor[d] = neighbor_of(b, place, d);
        const int32_t edge = oriented_edge(b->board[place], d);
        const int32_t met =
            neighbor[d] == NOTHING ? NOTHING : oriented_edge(b->board[neighbor[d]], d ^ 2);
        const int32_t by = unmet_by(b, edge, met);
        unmet += by > 0;
        missed += by;
        if (met == NOTHING)
            continue;
        const int32_t margin = w->joint[d < 2 ? neighbor[d] : place][d & 1];
        joints++;
        mutual += margin > 0;
        *(margin > 0 ? &in_favor : &against) += margin;
    }
    for (int dy = 0; dy < 2; dy++)
        for (int dx = 0; dx < 2; dx++)
            squares += x >= dx && y >= dy && is_square(w, place - dx - dy * columns);
    e[PLACE_ONE] = 1;
    e[PLACE_MUTUAL] = (float)mutual / 4;
    e[PLACE_OTHER] = (float)(joints - mutual) / 4;
    e[PLACE_FOR] = (float)in_favor / 4 / FAR_COST;
    e[PLACE_AGAINST] = (float)against / 4 / FAR_COST;
    e[PLACE_MARGIN] =
        joints ? (float)place_margin(b, place, neighbor) / (float)(joints * FAR_COST) : 0;
    e[PLACE_UNMET] = (float)unmet / 4;
    e[PLACE_UNMET_BY] = (float)missed / 4 / FAR_COST;
    e[PLACE_SQUARES] = (float)squares / 4;
}

/* The sum of the costs of all joints. */
static int64_t joints_cost(const struct evidence_board *b)
{
    int64_t sum = 0;
#pragma omp parallel for reduction(+ : sum)
    for (int i = 0; i < b->columns * b->rows; i++)
        for (int d = SIDE_RIGHT; d <= SIDE_BOTTOM && b->board[i] != NOTHING; d++) {
            const int neighbor = neighbor_of(b, i, d);
            if (neighbor != NOTHING)
                sum += joint_cost(b->compatibility, b->board[i], b->board[neighbor], d);
        }
    return sum;
}

/* Weights of less than a ten-thousandth of one exchange that costs nothing tell no more. */
static double of_exchanges(int64_t weight)
{
    return log((double)weight / EXCHANGE_EQUAL + 1e-4);
}

/* Sums the evidence of places up. */
static void gather_answer(const struct work *w, const float (*place)[PLACE_EVIDENCE],
    int32_t largest_part, int32_t largest_block, double e[ANSWER_EVIDENCE])
{
    const struct evidence_board *b = w->b;
    const double tiles = w->tiles;
    double joints = 0, mutual = 0, better = 0, margins = 0, least = 1;
    double unmet = 0, missed = 0, against = 0;
    for (int i = 0; i < w->places; i++) {
        if (b->board[i] == NOTHING)
            continue;
        const double margin = (double)place[i][PLACE_MARGIN];
        joints += 2 * (double)(place[i][PLACE_MUTUAL] + place[i][PLACE_OTHER]);
        mutual += 2 * (double)place[i][PLACE_MUTUAL];
        better += margin <= 0;
        margins += margin;
        least = margin < least ? margin : least;
        unmet += 4 * (double)place[i][PLACE_UNMET];
        missed += 4 * (double)place[i][PLACE_UNMET_BY];
        against -= 2 * (double)place[i][PLACE_AGAINST];
    }
    e[ANSWER_ONE] = 1;
    e[ANSWER_TILES] = log(tiles);
    e[ANSWER_MUTUAL] = joints > 0 ? mutual / joints : 1;
    e[ANSWER_OTHER] = log1p(joints - mutual);
    e[ANSWER_PARTED] = log1p(tiles - largest_part);
    e[ANSWER_LOOSE] = log1p(tiles - largest_block);
    e[ANSWER_UNMET] = log1p(unmet);
    e[ANSWER_UNMET_BY] = log1p(10 * missed);
    e[ANSWER_AGAINST] = log1p(10 * against);
    e[ANSWER_LEAST] = least;
    e[ANSWER_BETTER] = log1p(better);
    e[ANSWER_MARGIN] = margins / tiles;
    e[ANSWER_COST] = joints > 0 ? (double)joints_cost(b) / joints / TIE_COST : 0;
    e[ANSWER_EMPTY] = log1p(w->places - tiles);
    e[ANSWER_LEAD] = b->lead;
    e[ANSWER_RATIO] = b->ratio;
    e[ANSWER_EXCHANGES] = b->exchanges ? of_exchanges(b->all_exchanges) : 0;
}

/* Tells a place what is known of all. */
static void complete_place(const struct work *w, int place, int32_t largest_block,
    const double answer[ANSWER_EVIDENCE], float e[PLACE_EVIDENCE])
{
    const double tiles = w->tiles;
    const int32_t block = w->block_size[root_of(w->block, place)];
    e[PLACE_PART] = (float)log(w->part_size[root_of(w->part, place)] / tiles);
    e[PLACE_BLOCK] = (float)log(block / tiles);
    e[PLACE_IS_MAIN] = block == largest_block;
    e[PLACE_ALL_MUTUAL] = (float)answer[ANSWER_MUTUAL];
    e[PLACE_ALL_BLOCK] = (float)log(largest_block / tiles);
    e[PLACE_TILES] = (float)answer[ANSWER_TILES];
    e[PLACE_EMPTY] = (float)(1 - tiles / w->places);
    e[PLACE_LEAD] = (float)w->b->lead;
    e[PLACE_RATIO] = (float)w->b->ratio;
    e[PLACE_EXCHANGES] = w->b->exchanges ? (float)of_exchanges(w->b->exchanges[place]) : 0;
}

int evidence_gather(const struct evidence_board *board, float (*place)[PLACE_EVIDENCE],
    double answer[ANSWER_EVIDENCE], struct error *error)
{
    const int places = board->columns * board->rows;
    const size_t count = (size_t)places;
    int32_t *memory = calloc(count * 6, sizeof(*memory));
    if (!memory)
        return error_set(error, ERROR_INPUT, "not enough memory to judge %d places", places);
    int tiles = 0;
    for (int i = 0; i < places; i++)
        tiles += board->board[i] != NOTHING;
    const struct work w = {board, places, tiles, (int32_t(*)[2])memory, memory + 2 * count,
        memory + 3 * count, memory + 4 * count, memory + 5 * count};
#pragma omp parallel for
    for (int i = 0; i < places; i++)
        find_joints(&w, i);
#pragma omp parallel for
    for (int i = 0; i < places; i++) {
        for (int k = 0; k < PLACE_EVIDENCE; k++)
            place[i][k] = 0;
        if (board->board[i] != NOTHING)
            gather_place(&w, i, place[i]);
    }
    int32_t largest_part, largest_block;
    connect(&w, &largest_part, &largest_block);
    gather_answer(&w, (const float(*)[PLACE_EVIDENCE])place, largest_part, largest_block, answer);
    for (int i = 0; i < places; i++)
        if (board->board[i] != NOTHING)
            complete_place(&w, i, largest_block, answer, place[i]);
    free(memory);
    return 0;
}

int evidence_find_apart(
    const struct evidence_board *board, uint8_t *is_apart, int *count, struct error *error)
{
    const int places = board->columns * board->rows;
    int is_full = 1;
    for (int i = 0; i < places; i++) {
        is_full &= board->board[i] != NOTHING;
        is_apart[i] = 0;
    }
    *count = 0;
    if (is_full)
        return 0;
    int32_t *root = malloc((size_t)places * sizeof(*root));
    int32_t *size = calloc((size_t)places, sizeof(*size)), largest = 0;
    if (!root || !size) {
        free(root);
        free(size);
        return error_set(error, ERROR_INPUT, "not enough memory to judge %d places", places);
    }
    for (int i = 0; i < places; i++)
        root[i] = i;
    for (int i = 0; i < places; i++)
        for (int d = SIDE_RIGHT; d <= SIDE_BOTTOM && board->board[i] != NOTHING; d++)
            if (neighbor_of(board, i, d) != NOTHING)
                sets_join(root, i, neighbor_of(board, i, d));
    for (int i = 0; i < places; i++) {
        const int32_t own = root_of(root, i);
        size[own] += board->board[i] != NOTHING;
        largest = size[own] > size[largest] ? own : largest;
    }
    for (int i = 0; i < places; i++) {
        is_apart[i] = board->board[i] != NOTHING && root_of(root, i) != largest;
        *count += is_apart[i];
    }
    free(root);
    free(size);
    return 0;
}

static int is_empty_line(const struct evidence_board *b, int axis, int line)
{
    const int length = axis == X ? b->rows : b->columns;
    int is_empty = 1;
    for (int i = 0; is_empty && i < length; i++)
        is_empty = b->board[axis == X ? i * b->columns + line : line * b->columns + i] == NOTHING;
    return is_empty;
}

int evidence_may_slide(const struct evidence_board *board, int axis)
{
    const int lines = axis == X ? board->columns : board->rows;
    return is_empty_line(board, axis, 0) || is_empty_line(board, axis, lines - 1);
}

/* The mean cost of the neighbors in two columns, or rows. */
static double mean_cost(const struct evidence_board *b, int axis, int line, int next)
{
    const int length = axis == X ? b->rows : b->columns;
    const int direction = axis == X ? SIDE_RIGHT : SIDE_BOTTOM;
    double sum = 0;
    for (int i = 0; i < length; i++) {
        const int32_t one = b->board[axis == X ? i * b->columns + line : line * b->columns + i];
        const int32_t other = b->board[axis == X ? i * b->columns + next : next * b->columns + i];
        sum += joint_cost(b->compatibility, one, other, direction);
    }
    return sum / length;
}

double evidence_of_border(const struct evidence_board *board, int axis)
{
    const int lines = axis == X ? board->columns : board->rows;
    double most = 0;
    int is_full = lines > 1;
    for (int place = 0; is_full && place < board->columns * board->rows; place++)
        is_full = board->board[place] != NOTHING;
    if (!is_full)
        return FAR_COST;
    for (int line = 0; line + 1 < lines; line++)
        most = fmax(most, mean_cost(board, axis, line, line + 1));
    return mean_cost(board, axis, lines - 1, 0) - most;
}
