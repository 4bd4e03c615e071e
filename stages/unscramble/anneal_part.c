/* Moves of parts of any shape. */
#include "stages/unscramble/anneal_part.h"

/* Lists the places of a part. Returns how many, or 0 if they are too many. */
static int find_part(struct annealing *s, const struct loose_part *part, int32_t *places)
{
    int count = 1;
    s->last_mark++;
    places[0] = part->place;
    s->mark[part->place] = s->last_mark;
    for (int i = 0; i < count; i++) {
        const int32_t *const beside = &s->costs->beside[4 * places[i]];
        for (int d = 0; d < 4; d++) {
            const int next = beside[d];
            if (next == NOTHING || s->mark[next] == s->last_mark ||
                joint_toward(s, places[i], next, d) >= part->limit)
                continue;
            if (count == part->most)
                return 0;
            s->mark[next] = s->last_mark;
            places[count++] = next;
        }
    }
    return count;
}

/* How a part of `count` tiles moves: where they lie, come to, and how they are turned. */
struct part_move {
    int count, quarters;
    int32_t *from, *to; /* [count] */
};

/* Finds where a part comes to when what lies at from[0] comes to `target`. Returns -1 if that is
 * not on the board or not free. */
static int find_targets(const struct annealing *s, int target, const struct part_move *m)
{
    const int columns = s->p->columns, rows = s->p->rows, first = m->from[0];
    for (int i = 0; i < m->count; i++) {
        int x, y;
        step_turned(m->quarters, m->from[i] % columns - first % columns,
            m->from[i] / columns - first / columns, &x, &y);
        x += target % columns;
        y += target / columns;
        if (x < 0 || y < 0 || x >= columns || y >= rows)
            return -1;
        m->to[i] = y * columns + x;
        if (s->board[m->to[i]] < s->costs->empty && s->mark[m->to[i]] != s->last_mark)
            return -1;
    }
    return 0;
}

/* By how much less the joints around a part cost than those with empty places. */
static int64_t bonds(const struct annealing *s, const struct part_move *m)
{
    int64_t sum = 0;
    for (int i = 0; i < m->count; i++) {
        const int32_t *const beside = &s->costs->beside[4 * m->from[i]];
        for (int d = 0; d < 4; d++)
            if (beside[d] != NOTHING && s->mark[beside[d]] != s->last_mark)
                sum += s->costs->empty_cost - joint_toward(s, m->from[i], beside[d], d);
    }
    return sum;
}

/* By how much less the joints around a part will cost, where it comes to, than those with empty
 * places. */
static int64_t new_bonds(const struct annealing *s, const struct part_move *m)
{
    int64_t sum = 0;
    for (int i = 0; i < m->count; i++) {
        const int32_t *const beside = &s->costs->beside[4 * m->to[i]];
        const int32_t tile = oriented_turned(s->board[m->from[i]], m->quarters);
        for (int d = 0; d < 4; d++)
            if (beside[d] != NOTHING && s->mark[beside[d]] != s->last_mark)
                sum += s->costs->empty_cost - edges_cost(s->costs, tile, s->board[beside[d]], d);
    }
    return sum;
}

/* Moves the part; its tiles lie in `tiles` while all of its places are empty. */
static void move_part(struct annealing *s, const struct part_move *m, int32_t *tiles)
{
    const int columns = s->p->columns;
    for (int i = 0; i < m->count; i++) {
        tiles[i] = oriented_turned(s->board[m->from[i]], m->quarters);
        s->board[m->from[i]] = s->costs->empty;
    }
    for (int i = 0; i < m->count; i++)
        annealing_put(s, m->to[i], tiles[i]);
    for (int i = 0; i < m->count; i++) {
        const struct area from = {m->from[i] % columns, m->from[i] / columns, 1, 1};
        const struct area to = {m->to[i] % columns, m->to[i] / columns, 1, 1};
        annealing_find_joints(s, &from);
        annealing_find_joints(s, &to);
    }
}

void annealing_try_part(
    struct annealing *s, const struct loose_part *part, int target, int quarters)
{
    const int places = s->p->columns * s->p->rows;
    struct part_move m = {.quarters = quarters, .from = s->work, .to = s->work + places};
    m.count = find_part(s, part, m.from);
    if (m.count == 0 || find_targets(s, target, &m))
        return;
    const int64_t change = bonds(s, &m) - new_bonds(s, &m);
    if (change <= annealing_most_change(s)) {
        move_part(s, &m, m.to + places);
        s->cost += change;
    }
}
