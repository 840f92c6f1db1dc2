const MAX_LENGTH = 50

export function suggestedAddress(name: string): string {
  return name
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]/g, '')
    .slice(0, MAX_LENGTH)
}
