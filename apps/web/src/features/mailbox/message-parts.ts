/** The six-digit code a message was sent for, when it carries exactly one. */
export function findCode(text: string | null): string | undefined {
  const found = new Set(text?.match(/(?<![\d#])\d{6}(?!\d)/g))
  return found.size === 1 ? [...found][0] : undefined
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
