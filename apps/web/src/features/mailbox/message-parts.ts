/** The six-digit code a message was sent for: it stands indented in a line of its own, other numbers do not. */
export function findCode(text: string | null): string | undefined {
  return text?.match(/^ {4}(\d{6})$/m)?.[1]
}

/** Web addresses in a message, each once. The message itself is shown where links cannot be followed. */
export function findLinks(text: string | null): string[] {
  const found = text?.match(/https?:\/\/[^\s<>"')\]]+/g) ?? []
  return [...new Set(found.map((link) => link.replace(/[.,;:!?]+$/, '')))].filter((link) => URL.canParse(link))
}

/** Style sheets are cut out: the page's policy refuses them and would say so in the console for every message. */
export function withoutStyleSheets(html: string): string {
  return html.replaceAll(/<style[\s\S]*?<\/style>/gi, '')
}
