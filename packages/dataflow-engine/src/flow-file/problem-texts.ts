type Path = readonly (string | number)[]

export interface Issue {
  readonly path: readonly PropertyKey[]
  readonly message: string
  readonly code?: string
  readonly keys?: readonly string[]
  readonly values?: readonly unknown[]
  readonly expected?: string
  readonly minimum?: number | bigint
  readonly maximum?: number | bigint
  readonly origin?: string
  readonly errors?: readonly (readonly Issue[])[]
}

export interface TextProblem {
  readonly path: Path
  readonly message: string
}

const toPath = (issue: Issue): (string | number)[] =>
  issue.path.filter((part): part is string | number => typeof part !== 'symbol')

export function toProblems(
  issue: Issue,
  content: unknown,
  getKnownFields: (path: Path) => readonly string[],
): TextProblem[] {
  const path = toPath(issue)
  if (issue.code === 'invalid_union' && issue.errors && issue.errors.length > 0) {
    const variantIssues = getClosestVariant(issue.errors)
    return variantIssues.flatMap((other) =>
      toProblems({ ...other, path: [...issue.path, ...other.path] }, content, getKnownFields),
    )
  }
  if (issue.code === 'unrecognized_keys') {
    const knownFields = getKnownFields(path)
    const allowed = knownFields.length > 0 ? ` Known: ${knownFields.join(', ')}.` : ''
    return (issue.keys ?? []).map((key) => ({ path: [...path, key], message: `"${key}" is not known here.${allowed}` }))
  }
  return [{ path, message: describeIssue(issue, getValueAt(content, path)) }]
}

/** Of a union's variants, the one with all fields known, then with the fewest issues: most likely the intended one. */
function getClosestVariant(shapes: readonly (readonly Issue[])[]): readonly Issue[] {
  const computeCost = (issues: readonly Issue[]) =>
    issues.length +
    100 * issues.filter(({ code, expected }) => code === 'unrecognized_keys' || expected === 'never').length
  return shapes.toSorted((a, b) => computeCost(a) - computeCost(b))[0] ?? []
}

function describeIssue(issue: Issue, value: unknown): string {
  const allowed = describeAllowed(issue)
  if (value === undefined && (issue.code === 'invalid_type' || issue.code === 'invalid_value'))
    return `This is missing.${allowed}`
  if (allowed === '') return issue.message
  return `${formatValue(value)} is not allowed here.${allowed}`
}

function describeAllowed({ code, values = [], expected, minimum, maximum, origin }: Issue): string {
  if (code === 'invalid_value') {
    const texts = values.map((value) => String(value)).join(', ')
    return values.length === 1 ? ` It has to be ${texts}.` : ` Allowed: ${texts}.`
  }
  if (code === 'invalid_type' && expected !== undefined) return ` It has to be ${TYPES[expected] ?? expected}.`
  const unit = origin === 'string' ? ' characters' : origin === 'array' ? ' entries' : ''
  if (code === 'too_small') return ` It has to be at least ${minimum}${unit}.`
  if (code === 'too_big') return ` It can be at most ${maximum}${unit}.`
  return ''
}

const TYPES: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  tuple: 'a list',
  object: 'a mapping of fields',
  record: 'a mapping of names',
}

const formatValue = (value: unknown): string =>
  typeof value === 'string' ? `"${value.slice(0, 60)}"` : (JSON.stringify(value) ?? '').slice(0, 60)

function getValueAt(content: unknown, path: Path): unknown {
  let current: unknown = content
  for (const part of path) {
    if (typeof current !== 'object' || current === null || !Object.hasOwn(current, part)) return undefined
    current = (current as Record<string | number, unknown>)[part]
  }
  return current
}
