import { readProfile } from '../../../../app/session/stored-data.ts'

/** Per person, since several people may share a browser. */
export function getPersonalKey(extent: string, fileId: string): string {
  const profile = readProfile()
  return `trellis.worksheet.${extent} ${profile.ok ? profile.value.email : ''} ${fileId}`
}
