const MAX_LENGTH = 50

/** An address made of a name: accents dropped, everything but letters and digits left out. */
export function suggestedAddress(name: string): string {
  return name
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]/g, '')
    .slice(0, MAX_LENGTH)
}
