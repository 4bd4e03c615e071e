# gnuplot -e "name='docs/bench/bezier-NAME'" bezier_plot.gp: errors by degree, times by resolution, and
# shares of the CPU, from the table of bezier.sh, NAME.tsv.
set terminal svg size 900,480 font "sans-serif,13" background "white"
set grid
set key outside right center Left reverse
file = name.".tsv"
rows(columns, conditions) = sprintf("< awk -F '\\t' '%s { print %s }' %s", conditions, columns, file)

methods = "sep mle brf casteljau mat3 mat4"
errors(method, precision) = rows("$6 - 1, $11", sprintf("$1 == \"errors\" && $4 == \"%s\" && $5 == \"%s\"", method, precision))
if (system(sprintf("grep -c ^errors %s", file)) > 0) {
    set output name."-errors.svg"
    set logscale y
    set xlabel "degree"
    set ylabel "largest error over the largest control point"
    set format y "10^{%T}"
    set xrange [1:20]
    plot for [i = 1:words(methods)] errors(word(methods, i), "float") with linespoints lw 2 lc i pt 7 title word(methods, i).", float", \
         for [i = 1:words(methods)] errors(word(methods, i), "double") with linespoints lw 2 lc i pt 6 dashtype 2 title word(methods, i).", double"
}

devices = system(sprintf("awk -F '\\t' '$1 == \"grids\" && !seen[$2]++ { print $2 }' %s", file))
methods = "brf mat3 mat4 mle sep"
set xrange [*:*]
set logscale xy
set format x "%g"
set format y "10^{%T}"
set xlabel "points of a side, one patch of 12 x 12 control points"
set ylabel "milliseconds"
times(device, method, precision) = rows("$7, $10", sprintf("$1 == \"grids\" && $2 == \"%s\" && $4 == \"%s\" && $5 == \"%s\" && $6 == 12", device, method, precision))
do for [device in devices] {
    set output name."-".device.".svg"
    plot for [i = 1:words(methods)] times(device, word(methods, i), "float") with linespoints lw 2 lc i pt 7 title word(methods, i).", float", \
         for [i = 1:words(methods)] times(device, word(methods, i), "double") with linespoints lw 2 lc i pt 6 dashtype 2 title word(methods, i).", double"
}

sweeps = system(sprintf("awk -F '\\t' '$1 == \"share\" && $6 == 12 { most[$4 \":\" $7] = $3 } END { for (c in most) print c \":\" most[c] }' %s | sort", file))
if (words(sweeps) > 0) {
    set output name."-share.svg"
    unset logscale
    set xlabel "percent of the blocks to the CPU, one patch of 12 x 12 control points"
    set ylabel "milliseconds of level 1 with its copies"
    set logscale y
    set format x "%g"
    set format y "10^{%T}"
    part(case, n) = system(sprintf("echo %s | cut -d : -f %d", case, n))
    plot for [case in sweeps] rows("$8, $10", sprintf("$1 == \"share\" && $8 != \"list\" && $6 == 12 && $4 == \"%s\" && $7 == %s && $3 == %s", part(case, 1), part(case, 2), part(case, 3))) with linespoints lw 2 pt 7 title part(case, 1).", ".part(case, 2)." points a side"
}
