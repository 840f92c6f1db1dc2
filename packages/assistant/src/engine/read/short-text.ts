const MAX_CHARS = 400

/** First capture of the pattern. Long texts are refused first: several open ends take cubic time on runs of spaces. */
export function readShortText(text: string, pattern: RegExp): string | undefined {
  const short = text.length > MAX_CHARS ? '' : text.trim().replaceAll(/\s+/g, ' ')
  return pattern.exec(short)?.[1]
}
