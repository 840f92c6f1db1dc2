const ESCAPES: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v' }

/** Rows of Postgres' COPY text format, each value as text. */
export function readCopyLines(bytes: Uint8Array): (string | null)[][] {
  const text = new TextDecoder().decode(bytes)
  const lines = text.split('\n')
  if (lines.at(-1) === '') lines.pop()
  return lines.map((line) => line.split('\t').map((value) => (value === String.raw`\N` ? null : unescaped(value))))
}

function unescaped(value: string): string {
  if (!value.includes('\\')) return value
  return value.replaceAll(/\\(?:[0-7]{1,3}|x[0-9A-Fa-f]{1,2}|.)/gs, (escape) => {
    const rest = escape.slice(1)
    if (/^[0-7]/.test(rest)) return String.fromCodePoint(Number.parseInt(rest, 8))
    if (/^x./.test(rest)) return String.fromCodePoint(Number.parseInt(rest.slice(1), 16))
    return ESCAPES[rest] ?? rest
  })
}
