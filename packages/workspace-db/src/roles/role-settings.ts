export function splitSetting(setting: string): [name: string, value: string] {
  const separator = setting.indexOf('=')
  return [setting.slice(0, separator), setting.slice(separator + 1)]
}

/** Postgres quotes names of a search path only if needed. */
export function parseSearchPath(value: string): string[] {
  return [...value.matchAll(/"(?<quoted>(?:[^"]|"")*)"|(?<plain>[^",\s]+)/g)].map(
    ({ groups }) => groups?.['plain'] ?? (groups?.['quoted'] ?? '').replaceAll('""', '"'),
  )
}

export function haveSameSettings(firstSettings: readonly string[], other: readonly string[]): boolean {
  const normalize = (settings: readonly string[]) =>
    settings
      .map((setting) => splitSetting(setting))
      .map(([name, value]) => JSON.stringify([name, name === 'search_path' ? parseSearchPath(value) : value]))
      .toSorted()
      .join('\n')
  return normalize(firstSettings) === normalize(other)
}
