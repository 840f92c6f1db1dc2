const toStorageKey = (accountCode: string) => `trellis.first-visit.${accountCode}`

/** The dashboard greets whoever has just made the first workspace of an account, for as long as this tab lives. */
export function markFirstVisit(accountCode: string): void {
  sessionStorage.setItem(toStorageKey(accountCode), '1')
}

export function isFirstVisit(accountCode: string): boolean {
  return sessionStorage.getItem(toStorageKey(accountCode)) !== null
}

export function forgetFirstVisit(accountCode: string): void {
  sessionStorage.removeItem(toStorageKey(accountCode))
}
