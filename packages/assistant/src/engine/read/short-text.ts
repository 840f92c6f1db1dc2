const MAX_CHARS = 400

/** What the pattern captures first. Patterns with several open ends take cubic time for long runs of spaces: such a text is no command. */
export function readShortText(text: string, pattern: RegExp): string | undefined {
  const short = text.length > MAX_CHARS ? '' : text.trim().replaceAll(/\s+/g, ' ')
  return pattern.exec(short)?.[1]
}
