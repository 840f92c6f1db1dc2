/** Values of a form are plain data: texts, flags, lists and objects of them. */
export function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}

/** `preferences.themeMode` is the member of a member. */
export function valueAt(values: object, name: string): unknown {
  return name.split('.').reduce<unknown>((at, part) => (at as Record<string, unknown> | undefined)?.[part], values)
}

export function withValueAt<Values extends object>(values: Values, name: string, value: unknown): Values {
  const [first = '', ...rest] = name.split('.')
  const inner = (values as Record<string, unknown>)[first] as object
  return { ...values, [first]: rest.length === 0 ? value : withValueAt(inner ?? {}, rest.join('.'), value) }
}
