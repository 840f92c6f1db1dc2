const toStorageKey = (accountCode: string) => `trellis.first-visit.${accountCode}`

/** Until the tab closes. */
export function markFirstVisit(accountCode: string): void {
  sessionStorage.setItem(toStorageKey(accountCode), '1')
}

export function isFirstVisit(accountCode: string): boolean {
  return sessionStorage.getItem(toStorageKey(accountCode)) !== null
}

export function clearFirstVisit(accountCode: string): void {
  sessionStorage.removeItem(toStorageKey(accountCode))
}
