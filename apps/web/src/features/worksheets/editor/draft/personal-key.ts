import { readProfile } from '../../../../app/session/stored-data.ts'

/** Where something of one person is kept in a browser that several people may use. */
export function getPersonalKey(what: string, fileId: string): string {
  const profile = readProfile()
  return `trellis.worksheet.${what} ${profile.ok ? profile.value.email : ''} ${fileId}`
}
