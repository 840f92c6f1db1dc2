/** Joins neighbours in a row, so that no seams show. */
export function qrPath(squares: readonly (readonly boolean[])[]): string {
  let path = ''
  squares.forEach((row, y) => {
    for (let x = 0; x < row.length; x += 1) {
      if (!row[x]) continue
      let end = x + 1
      while (row[end]) end += 1
      path += `M${x} ${y}h${end - x}v1h${x - end}z`
      x = end
    }
  })
  return path
}
