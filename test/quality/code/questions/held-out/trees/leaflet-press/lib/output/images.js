/** Never enlarges: widths above that of the original are left out. */
export function srcset(file, original, widths) {
  const dot = file.lastIndexOf('.')
  return widths
    .split(' ')
    .map(Number)
    .filter((width) => width <= original)
    .map((width) => `${file.slice(0, dot)}-${width}${file.slice(dot)} ${width}w`)
    .join(', ')
}
