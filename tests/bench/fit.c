/* Makes the coefficients of confidence_table.c from the rows of calibrate, and shows how far the
 * probabilities of other rows can be trusted:
 *
 *   fit coefficients <rows >stages/unscramble/confidence_table.c
 *   fit table <rows
 *
 * The table takes the coefficients that the program was built with; so do kinds of answers of which
 * there is no row. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "stages/unscramble/confidence.h"

#define MAX 24       /* numbers of evidence */
#define MAX_KINDS 16 /* of puzzles */
#define RIDGE 3.0    /* how much a standardized coefficient of 1 costs, in rows */
#define ROUNDS 50    /* of Newton's method */

struct row {
    char type; /* 'A' of an answer, 'P' of a place */
    int number, answer_kind, is_right;
    char kind[16];
    double evidence[MAX];
};

static struct row *rows;
static int row_count;

static int evidence_count(char type)
{
    return type == 'A' ? ANSWER_EVIDENCE : PLACE_EVIDENCE;
}

static int read_rows(void)
{
    int capacity = 0;
    struct row row;
    while (scanf(" %c %d %15s %d %d", &row.type, &row.number, row.kind, &row.answer_kind,
               &row.is_right) == 5) {
        for (int i = 0; i < evidence_count(row.type); i++)
            if (scanf("%lf", &row.evidence[i]) != 1)
                return -1;
        if (row_count == capacity) {
            capacity = 2 * capacity + 1024;
            rows = realloc(rows, (size_t)capacity * sizeof(*rows));
            if (!rows)
                return -1;
        }
        rows[row_count++] = row;
    }
    return row_count ? 0 : -1;
}

/* Solves matrix * x = right by elimination; the matrix is positive definite. right becomes x. */
static void solve(int n, double matrix[MAX][MAX], double right[MAX])
{
    for (int i = 0; i < n; i++)
        for (int j = i + 1; j < n; j++) {
            const double share = matrix[j][i] / matrix[i][i];
            for (int k = i; k < n; k++)
                matrix[j][k] -= share * matrix[i][k];
            right[j] -= share * right[i];
        }
    for (int i = n - 1; i >= 0; i--) {
        for (int k = i + 1; k < n; k++)
            right[i] -= matrix[i][k] * right[k];
        right[i] /= matrix[i][i];
    }
}

static int is_of(const struct row *row, char type, int answer_kind)
{
    return row->type == type && row->answer_kind == answer_kind;
}

/* The mean and the deviation of each number; the first is 1 in every row and stays. */
static void standardize(char type, int answer_kind, double mean[MAX], double deviation[MAX])
{
    const int n = evidence_count(type);
    double count = 0;
    for (int i = 0; i < n; i++)
        mean[i] = deviation[i] = 0;
    for (int r = 0; r < row_count; r++)
        if (is_of(&rows[r], type, answer_kind)) {
            count++;
            for (int i = 1; i < n; i++) {
                mean[i] += rows[r].evidence[i];
                deviation[i] += rows[r].evidence[i] * rows[r].evidence[i];
            }
        }
    for (int i = 1; i < n && count > 0; i++) {
        mean[i] /= count;
        deviation[i] = sqrt(fmax(deviation[i] / count - mean[i] * mean[i], 0));
    }
}

/* Logistic regression with a ridge, by Newton's method. */
static void fit(char type, int answer_kind, double coefficients[MAX])
{
    const int n = evidence_count(type);
    double mean[MAX], deviation[MAX], w[MAX] = {0};
    standardize(type, answer_kind, mean, deviation);
    for (int round = 0; round < ROUNDS; round++) {
        double hessian[MAX][MAX] = {{0}}, step[MAX] = {0};
        for (int i = 0; i < n; i++) {
            hessian[i][i] = i ? RIDGE : 1e-3;
            step[i] = -hessian[i][i] * w[i];
        }
        for (int r = 0; r < row_count; r++) {
            if (!is_of(&rows[r], type, answer_kind))
                continue;
            double x[MAX] = {1}, sum = w[0];
            for (int i = 1; i < n; i++) {
                x[i] = deviation[i] > 1e-9 ? (rows[r].evidence[i] - mean[i]) / deviation[i] : 0;
                sum += w[i] * x[i];
            }
            const double p = 1 / (1 + exp(-sum)), weight = fmax(p * (1 - p), 1e-6);
            for (int i = 0; i < n; i++) {
                step[i] += (rows[r].is_right - p) * x[i];
                for (int j = 0; j < n; j++)
                    hessian[i][j] += weight * x[i] * x[j];
            }
        }
        solve(n, hessian, step);
        for (int i = 0; i < n; i++)
            w[i] += fmax(-1, fmin(1, step[i]));
    }
    coefficients[0] = w[0];
    for (int i = 1; i < n; i++) {
        coefficients[i] = deviation[i] > 1e-9 ? w[i] / deviation[i] : 0;
        coefficients[0] -= coefficients[i] * mean[i];
    }
}

/* Those of a kind that has no rows stay as they are. */
static void find_coefficients(char type, int kind, double coefficients[MAX])
{
    int has_rows = 0;
    for (int r = 0; r < row_count; r++)
        has_rows |= is_of(&rows[r], type, kind);
    if (has_rows)
        fit(type, kind, coefficients);
    else
        memcpy(coefficients, type == 'A' ? ANSWER_COEFFICIENTS[kind] : PLACE_COEFFICIENTS[kind],
            (size_t)evidence_count(type) * sizeof(*coefficients));
}

static void print_coefficients(char type, const char *name)
{
    const int n = evidence_count(type);
    printf("\nconst double %s_COEFFICIENTS[ANSWER_KINDS][%s_EVIDENCE] = {\n", name, name);
    for (int kind = 0; kind < ANSWER_KINDS; kind++) {
        double coefficients[MAX];
        find_coefficients(type, kind, coefficients);
        printf("    {");
        for (int i = 0; i < n; i++)
            printf("%s%.4f", i == 0 ? "" : i % 8 ? ", " : ",\n        ", coefficients[i]);
        printf("},\n");
    }
    printf("};\n");
}

struct tally {
    double count, sum, right;
};

static void add(struct tally *tally, double probability, int is_right)
{
    tally->count++;
    tally->sum += probability;
    tally->right += is_right;
}

static void print_tally(const char *name, const struct tally *tally)
{
    if (tally->count > 0)
        printf("| %s | %.0f | %.3f | %.3f |\n", name, tally->count, tally->sum / tally->count,
            tally->right / tally->count);
}

/* A table by tenths, and one by the kinds of puzzles. */
static void print_table(char type, const char *what)
{
    struct tally tenths[10] = {{0}}, kinds[MAX_KINDS] = {{0}}, all = {0};
    char names[MAX_KINDS][16];
    int kind_count = 0;
    double wrong_most = 0, whole = 0; /* of the answer that the places belong to */
    for (int r = 0; r < row_count; r++) {
        const struct row *row = &rows[r];
        if (row->type == 'A')
            whole = confidence_of_answer(row->answer_kind, row->evidence);
        if (row->type != type)
            continue;
        double p = whole;
        if (type == 'P') {
            float evidence[1][PLACE_EVIDENCE], confidence;
            for (int i = 0; i < PLACE_EVIDENCE; i++)
                evidence[0][i] = (float)row->evidence[i];
            confidence_of_places(row->answer_kind, evidence, 1, whole, &confidence);
            p = (double)confidence;
        }
        int kind = 0;
        while (kind < kind_count && strcmp(names[kind], row->kind) != 0)
            kind++;
        if (kind == kind_count && kind_count < MAX_KINDS)
            strcpy(names[kind_count++], row->kind);
        add(&tenths[p < 1 ? (int)(10 * p) : 9], p, row->is_right);
        add(&kinds[kind], p, row->is_right);
        add(&all, p, row->is_right);
        wrong_most = !row->is_right && p > wrong_most ? p : wrong_most;
    }
    printf("\n| probability | %s | mean probability | share that is right |\n", what);
    printf("|---|---:|---:|---:|\n");
    for (int i = 0; i < 10; i++) {
        char name[32];
        snprintf(name, sizeof(name), "%.1f to %.1f", i / 10.0, (i + 1) / 10.0);
        print_tally(name, &tenths[i]);
    }
    print_tally("all", &all);
    printf("\nThe surest of the %s that are wrong has %.3f.\n", what, wrong_most);
    printf("\n| puzzles | %s | mean probability | share that is right |\n", what);
    printf("|---|---:|---:|---:|\n");
    for (int i = 0; i < kind_count; i++)
        print_tally(names[i], &kinds[i]);
}

int main(int argc, char **argv)
{
    const char *command = argc == 2 ? argv[1] : "";
    const int fits = strcmp(command, "coefficients") == 0;
    if (!fits && strcmp(command, "table") != 0) {
        fprintf(stderr, "usage: fit coefficients|table <rows\n");
        return 2;
    }
    if (read_rows()) {
        fprintf(stderr, "fit: standard input holds no rows of calibrate, or broken ones\n");
        return 1;
    }
    if (fits) {
        printf("/* Written by tests/bench/calibrate.sh. */\n"
               "/* clang-format off */\n"
               "#include \"stages/unscramble/confidence.h\"\n");
        print_coefficients('P', "PLACE");
        print_coefficients('A', "ANSWER");
    } else {
        print_table('A', "answers");
        print_table('P', "places");
    }
    free(rows);
    return 0;
}
