# gnuplot -c plot.gp FILE.tsv FILE.svg: kernel time of grayscale and assemble against image size.
file = ARG1
set terminal svg size 1000,400 font "sans-serif,13" background "white"
set output ARG2
set logscale xy
set xlabel "megapixels"
set ylabel "kernel time, milliseconds"
set grid
set xtics (1, 4, 16, 100)
devices = system(sprintf("awk -F '\\t' '$1 == 100 && $3 == \"grayscale\" { print $2 }' %s", file))
rows(stage, device, column) = sprintf("< awk -F '\\t' '$1 ~ /^[0-9]+$/ && $2 == \"%s\" && $3 == \"%s\" { print $1, $%d }' %s", device, stage, column, file)
set multiplot
set size 0.42,1
set origin 0,0
set title "grayscale"
unset key
plot rows("grayscale", word(devices, 1), 4) with linespoints lw 2 lc "black" title "reference, one thread", \
     for [d in devices] rows("grayscale", d, 6) with linespoints lw 2 title d
set title "assemble"
set size 0.58,1
set origin 0.42,0
unset ylabel
set key outside right center Left reverse
plot rows("assemble", word(devices, 1), 4) with linespoints lw 2 lc "black" title "reference, one thread", \
     for [d in devices] rows("assemble", d, 6) with linespoints lw 2 title d
unset multiplot
