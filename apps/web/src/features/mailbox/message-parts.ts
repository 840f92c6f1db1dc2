/** The code is on an indented line of its own. */
export function findCode(text: string | null): string | undefined {
  return text?.match(/^ {4}(\d{6})$/m)?.[1]
}

/** Listed, because links in the sandboxed message don't work. */
export function findLinks(text: string | null): string[] {
  const match = text?.match(/https?:\/\/[^\s<>"')\]]+/g) ?? []
  return [...new Set(match.map((link) => link.replace(/[.,;:!?]+$/, '')))].filter((link) => URL.canParse(link))
}

/** The CSP refuses style sheets and would log an error per message. */
export function withoutStyleSheets(html: string): string {
  return html.replaceAll(/<style[\s\S]*?<\/style>/gi, '')
}
