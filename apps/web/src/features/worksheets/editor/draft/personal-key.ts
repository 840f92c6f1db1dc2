import { readProfile } from '../../../../app/session/stored-data.ts'

/** Per person, since several people may share a browser. */
export function getPersonalKey(what: string, fileId: string): string {
  const profile = readProfile()
  return `trellis.worksheet.${what} ${profile.ok ? profile.value.email : ''} ${fileId}`
}
