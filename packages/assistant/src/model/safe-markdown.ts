/**
 * What a model writes may be steered by text in rows and documents. An image or link would carry data outside as soon as
 * it is shown or clicked, so neither is left; nor HTML, nor characters that show nothing.
 */
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
