export function toRows(columns) {
  const names = Object.keys(columns)
  const count = names.length === 0 ? 0 : columns[names[0]].length
  return Array.from({ length: count }, (_, row) => {
    const made = {}
    for (const name of names) made[name] = columns[name][row]
    return made
  })
}

export function fromRows(rows) {
  const columns = {}
  for (const row of rows) for (const name of Object.keys(row)) columns[name] ??= Array(rows.length).fill(null)
  rows.forEach((row, at) => {
    for (const name of Object.keys(row)) columns[name][at] = row[name]
  })
  return columns
}

export function filterRows(columns, keep) {
  const names = Object.keys(columns)
  const kept = Object.fromEntries(names.map((name) => [name, []]))
  const count = names.length === 0 ? 0 : columns[names[0]].length
  for (let row = 0; row < count; row += 1) {
    if (keep(row)) for (const name of names) kept[name].push(columns[name][row])
  }
  return kept
}

const FOLDS = {
  sum: (before, value) => (before ?? 0) + Number(value),
  count: (before) => (before ?? 0) + 1,
  min: (before, value) => (before === undefined || value < before ? value : before),
  max: (before, value) => (before === undefined || value > before ? value : before),
}

/**
 * Aggregates over several batches: call `add` for each, then `columns()`. `measures`: { name: [sum|count|min|max,
 * column] }.
 */
export function createGroups(by, measures) {
  const groups = new Map()
  const wanted = Object.entries(measures).map(([name, [how, column]]) => {
    if (!FOLDS[how]) throw new Error(`There is no measure "${how}". There are: ${Object.keys(FOLDS).join(', ')}.`)
    return { name, column, fold: FOLDS[how], isCount: how === 'count' }
  })
  return {
    add(columns) {
      const count = columns[by[0]].length
      for (let row = 0; row < count; row += 1) {
        const keys = by.map((name) => columns[name][row])
        const key = JSON.stringify(keys)
        let group = groups.get(key)
        if (!group) groups.set(key, (group = { keys, values: {} }))
        for (const { name, column, fold, isCount } of wanted) {
          const value = column === undefined ? 1 : columns[column][row]
          if (isCount && column === undefined) group.values[name] = fold(group.values[name])
          else if (value !== null && value !== undefined) group.values[name] = fold(group.values[name], value)
        }
      }
    },
    columns() {
      const all = [...groups.values()]
      const made = {}
      by.forEach((name, at) => (made[name] = all.map(({ keys }) => keys[at])))
      for (const { name, isCount } of wanted) made[name] = all.map(({ values }) => values[name] ?? (isCount ? 0 : null))
      return made
    },
  }
}
