/** Prompt injection in rows or documents could make the model write a link or an image that sends data out. */
export function toSafeMarkdown(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(/[\p{Cc}\p{Cf}]/gu, (character) => (character === '\n' || character === '\t' ? character : ''))
    .replaceAll(/!\[([^\]]*)\](?:\([^)]*\)?|\[[^\]]*\])?/g, '$1')
    .replaceAll(/\[([^\]]*)\](?:\([^)]*\)?|\[[^\]]*\])/g, '$1')
    .replaceAll(/^\s*\[[^\]]+\]:.*$/gm, '')
    .replaceAll(/<\/?[a-z!?][^>]*>?/gi, '')
    .replaceAll(/\b(?:[a-z][a-z0-9+.-]*:\/\/|www\.|mailto:|javascript:|data:)\S+/gi, '(link removed)')
}
