export function listErrorCodes(error: unknown): string[] {
  const codes: string[] = []
  for (let at = error; at !== undefined && at !== null && codes.length < 8; at = (at as { cause?: unknown }).cause) {
    const { code, errors } = at as { code?: unknown; errors?: unknown[] }
    if (typeof code === 'string') codes.push(code)
    if (Array.isArray(errors)) for (const item of errors) codes.push(...listErrorCodes(item))
  }
  return codes
}
