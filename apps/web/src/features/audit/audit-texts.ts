import type { AuditLine } from '@trellis/contract/audit/audit.endpoints'
import type { Tone } from '../../ui/feedback/Status.tsx'

/** Calls and events that leave a line in an account's trail, in the words of a person. Others are read from their id. */
export const ACTIONS: Readonly<Record<string, string>> = {
  acceptInvite: 'Invite accepted',
  accountRestored: 'Account restored',
  createIntegration: 'Connection created',
  createSchema: 'Schema created',
  createTable: 'Table created',
  createWorkspace: 'Workspace created',
  deleteAccount: 'Account deleted',
  deleteIntegration: 'Connection deleted',
  deleteSchema: 'Schema deleted',
  deleteTable: 'Table deleted',
  deleteWorkspace: 'Workspace deleted',
  exportTable: 'Table exported',
  duplicatePlanEnded: 'Second plan ended and refunded',
  integrationLinked: 'Consent given for a connection',
  integrationSeen: 'Rows of a connection looked at',
  inviteAccepted: 'Invite accepted',
  inviteDeclined: 'Invite declined',
  inviteMembers: 'Members invited',
  inviteTakenBack: 'Invite taken back',
  linkIntegration: 'Consent asked for',
  removeMember: 'Member removed',
  renameSchema: 'Schema renamed',
  renameTable: 'Table renamed',
  resendInvite: 'Invite sent again',
  setTableDescription: 'Table described',
  setTableLabels: 'Table labelled',
  transferOwnership: 'Ownership handed on',
  updateAccount: 'Account renamed',
  updateIntegration: 'Connection changed',
  updateWorkspace: 'Workspace renamed',
  validateIntegration: 'Connection checked',
  workspaceRestored: 'Workspace restored',
}

/** `getPortalLink` reads as `Get portal link`. */
export function actionText(action: string): string {
  const known = ACTIONS[action]
  if (known) return known
  const words = action.replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2').toLowerCase()
  return words.charAt(0).toUpperCase() + words.slice(1)
}

export const OUTCOMES: Record<AuditLine['outcome'], { text: string; tone: Tone }> = {
  done: { text: 'Done', tone: 'success' },
  refused: { text: 'Refused', tone: 'warning' },
  failed: { text: 'Failed', tone: 'danger' },
}

/** A filter in the address that is no filter counts as none. */
export function outcomeOf(text: string | null): AuditLine['outcome'] | '' {
  return text !== null && text in OUTCOMES ? (text as AuditLine['outcome']) : ''
}

/** The choices of the filter: two ids may read the same, and then both must be there to be told apart by the server. */
export function actionOptions(lines: readonly AuditLine[]): { value: string; label: string }[] {
  const seen = new Set([...Object.keys(ACTIONS), ...lines.map((line) => line.action)])
  seen.delete('acceptInvite')
  return [...seen]
    .map((value) => ({ value, label: actionText(value) }))
    .toSorted((a, b) => a.label.localeCompare(b.label))
}

export function whoText(line: Pick<AuditLine, 'who'>): string {
  return line.who ? line.who.name || line.who.email : 'Trellis'
}
