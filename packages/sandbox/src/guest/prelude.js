/* Runs before the user's code. Captures built-ins now, since the code may overwrite them later. */
export default function (print) {
  const uncurry = (method) => Function.prototype.call.bind(method)
  const { stringify, parse } = JSON
  const { isArray } = Array
  const { isView } = ArrayBuffer
  const split = uncurry(String.prototype.split)
  const join = uncurry(Array.prototype.join)
  const indexOf = uncurry(String.prototype.indexOf)
  const push = uncurry(Array.prototype.push)
  const { keys, defineProperty } = Object
  const isObject = (value) => typeof value === 'object' && value !== null
  const Numbers = Float64Array
  const Text = String
  const List = Array
  const bytesOf = (numbers) => numbers.buffer
  const SEPARATOR = '\u0001'

  delete globalThis.performance
  defineProperty(BigInt.prototype, 'toJSON', {
    value() {
      return this.toString()
    },
  })

  function inWords(value) {
    if (typeof value === 'string') return value
    if (typeof value === 'function') return `function ${value.name}`
    if (value instanceof Error) return `${value.name}: ${value.message}`
    if (isView(value)) return `[${join(value, ', ')}]`
    try {
      return isObject(value) ? stringify(value) : Text(value)
    } catch {
      return '[object]'
    }
  }
  const printer =
    (level) =>
    (...values) =>
      print(level, join(values.map(inWords), ' '))
  const console = {
    log: printer(''),
    info: printer(''),
    debug: printer(''),
    warn: printer('Warning: '),
    error: printer('Error: '),
  }
  defineProperty(globalThis, 'console', { value: Object.freeze(console) })

  // Typed arrays' own map would turn strings into NaN.
  function mapToList(change, self) {
    const list = new List(this.length)
    for (let at = 0; at < this.length; at += 1) list[at] = change.call(self, this[at], at, this)
    return list
  }

  let input = {}
  let output = []
  let pending

  function describe(error) {
    if (!isObject(error)) return { message: `It threw ${inWords(error)}.`, stack: '' }
    const name = Text(error.name ?? 'Error')
    const message = Text(error.message ?? '')
    return { message: message === '' ? name : `${name}: ${message}`, stack: Text(error.stack ?? '') }
  }

  function pack(column) {
    const count = column.length
    if (isView(column)) return { kind: 'numbers', payload: bytesOf(new Numbers(column)), count }
    const kind = typeof column[0]
    if (kind === 'number') {
      let at = 1
      while (at < count && typeof column[at] === 'number') at += 1
      if (at === count) return { kind: 'numbers', payload: bytesOf(new Numbers(column)), count }
    } else if (kind === 'string' || !isObject(column[0])) {
      const gaps = []
      let at = 0
      for (; at < count; at += 1) {
        const value = column[at]
        if (value === null || value === undefined) push(gaps, at)
        else if (typeof value !== 'string') break
      }
      if (at === count) {
        const payload = join(column, SEPARATOR)
        if (indexOf(payload, '\0') < 0) return { kind: 'texts', payload, gaps, count, column }
      }
    }
    return { kind: 'json', payload: stringify(column), count }
  }

  function wrong(message) {
    return stringify({ fault: 'output', message })
  }

  function lengthsDiffer(names) {
    const words = []
    for (let at = 0; at < names.length && at < 5; at += 1) push(words, `${names[at]} (${output[at].count})`)
    return wrong(`The columns that came back differ in length: ${join(words, ', ')}.`)
  }

  function takeColumns(result) {
    const names = keys(result)
    for (let at = 0; at < names.length; at += 1) {
      const column = result[names[at]]
      if (!isArray(column) && !(isView(column) && 'length' in column)) {
        return wrong(
          `What came back for "${names[at]}" is not a list. Give back an object of lists, or a list of objects.`,
        )
      }
      push(output, pack(column))
      if (output[at].count !== output[0].count) return lengthsDiffer(names)
    }
    const heads = []
    for (let at = 0; at < output.length; at += 1)
      push(heads, { kind: output[at].kind, gaps: output[at].gaps, count: output[at].count })
    return stringify({ shape: 'columns', names, heads })
  }

  function takeResult(result) {
    output = []
    if (result === null || result === undefined) return stringify({ shape: 'nothing' })
    if (isArray(result)) {
      for (let at = 0; at < result.length; at += 1) {
        if (!isObject(result[at]) || isArray(result[at])) {
          return wrong(
            `Row ${at + 1} of what came back is not an object. Give back a list of objects, or an object of lists.`,
          )
        }
      }
      push(output, { payload: stringify(result) })
      return stringify({ shape: 'rows' })
    }
    if (isObject(result) && !isView(result)) return takeColumns(result)
    return wrong('Nothing usable came back. Give back an object of lists, or a list of objects.')
  }

  function failed(error) {
    const { message, stack } = describe(error)
    return stringify({ fault: 'code', message, stack })
  }

  function settled(work) {
    try {
      const result = work()
      if (!(result instanceof Promise)) return takeResult(result)
      pending = undefined
      result.then(
        (value) => {
          pending = { value }
        },
        (error) => {
          pending = { error }
        },
      )
      return ''
    } catch (error) {
      return failed(error)
    }
  }

  return {
    put(name, head, payload) {
      const { kind, gaps } = parse(head)
      let column
      if (kind === 'numbers') column = defineProperty(new Numbers(payload), 'map', { value: mapToList })
      else if (kind === 'json') column = parse(payload)
      else {
        column = split(payload, SEPARATOR)
        for (const at of gaps) column[at] = null
      }
      // A column may be called __proto__.
      defineProperty(input, name, { value: column, enumerable: true, writable: true, configurable: true })
    },
    run(entry, rowCount, batch) {
      const columns = input
      input = {}
      // Splitting an empty text gives one empty string.
      if (rowCount === 0) for (const name of keys(columns)) columns[name] = []
      return settled(() => entry(columns, { rowCount, batch }))
    },
    finish: (entry) => settled(() => entry()),
    outcome() {
      if (!pending)
        return wrong('The function waits for something that never comes. There is nothing to wait for here.')
      try {
        return 'error' in pending ? failed(pending.error) : takeResult(pending.value)
      } catch (error) {
        return failed(error)
      }
    },
    take: (at) => output[at].payload,
    takeJson: (at) => stringify(output[at].column),
  }
}
