# gnuplot -c circles_plot.gp FILE.tsv FILE.svg: kernel time against the number of circles.
file = ARG1
set terminal svg size 900,480 font "sans-serif,13" background "white"
set output ARG2
set logscale xy
set xrange [1000:*]
set xlabel "circles of radius 0.02, evenly spread, alpha 0.5, at 1024 x 1024 pixels"
set ylabel "kernel time, milliseconds"
set grid
set format x "10^{%T}"
set key outside right center Left reverse
devices = system(sprintf("awk -F '\\t' '$1 ~ /\\// && !seen[$5]++ { print $5 }' %s", file))
rows(method, device) = sprintf("< awk -F '\\t' '$1 ~ /\\// && $4 == \"%s\" && $5 == \"%s\" { print $2, $7 }' %s", method, device, file)
plot for [i = 1:words(devices)] rows("good", word(devices, i)) with linespoints lw 2 lc i pt 6 dashtype 2 title "good, ".word(devices, i), \
     for [i = 1:words(devices)] rows("fast", word(devices, i)) with linespoints lw 2 lc i pt 7 title "fast, ".word(devices, i)
