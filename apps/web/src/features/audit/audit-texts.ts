import type { AuditLine } from '@trellis/contract/audit/audit.endpoints'
import { PLANS, type PlanName } from '@trellis/contract/billing/plans'
import { formatDollars } from '../../ui/data/dollars.ts'
import type { Tone } from '../../ui/feedback/Status.tsx'

/** Other actions are derived from their id. */
export const ACTIONS: Readonly<Record<string, string>> = {
  acceptInvite: 'Invite accepted',
  accountCreated: 'Account created',
  accountRemoved: 'Account removed for good',
  accountRestored: 'Account restored',
  createIntegration: 'Connection created',
  createSchema: 'Schema created',
  createTable: 'Table created',
  createWorkspace: 'Workspace created',
  creditsBought: 'Credits bought',
  deleteAccount: 'Account deleted',
  deleteIntegration: 'Connection deleted',
  deleteSchema: 'Schema deleted',
  deleteTable: 'Table deleted',
  deleteWorkspace: 'Workspace deleted',
  expiredAccountDeleted: 'Account deleted: its plan ended 30 days ago',
  expiredAccountWarned: 'Deletion of the account announced by mail',
  exportTable: 'Table exported',
  applyRowEdits: 'Rows of a table edited',
  undoRowEdits: 'Edit of rows undone',
  duplicatePlanEnded: 'Second plan ended and refunded',
  integrationLinked: 'Consent given for a connection',
  integrationSeen: 'Rows of a connection looked at',
  inviteAccepted: 'Invite accepted',
  inviteDeclined: 'Invite declined',
  guardedQuery: 'Query by the assistant or an agent',
  inviteMembers: 'Members invited',
  inviteTakenBack: 'Invite taken back',
  leaveAccount: 'Left the account',
  linkIntegration: 'Consent asked for',
  loginPasswordRestored: 'Password of a database login put back',
  paymentFailed: 'Payment failed',
  paymentReceived: 'Late payment received',
  planCancelled: 'Plan cancelled',
  planChangeCalledOff: 'Plan change called off',
  planChangeScheduled: 'Plan change scheduled',
  planChanged: 'Plan changed',
  planChosen: 'Plan chosen',
  planEnded: 'Plan ended',
  planRenewed: 'Plan renewed',
  purgeDeletion: 'Table or schema deleted for good',
  projectRemoved: 'Project deleted for good',
  restoreDeletion: 'Table or schema restored',
  planResumed: 'Plan cancellation taken back',
  removeMember: 'Member removed',
  renameSchema: 'Schema renamed',
  renameTable: 'Table renamed',
  resendInvite: 'Invite sent again',
  sessionRevoked: 'Session ended: its refresh token was used twice',
  signIn: 'Sign-in',
  setTableDescription: 'Table described',
  setTableLabels: 'Table labelled',
  transferOwnership: 'Ownership handed on',
  updateAccount: 'Account renamed',
  updateIntegration: 'Connection changed',
  updateMemberAccess: 'Role changed',
  updateWorkspace: 'Workspace renamed',
  validateIntegration: 'Connection checked',
  workspaceRemoved: 'Workspace removed for good',
  workspaceRestored: 'Workspace restored',
}

/** Reported by the payment provider. */
const BY_PROVIDER = new Set([
  'creditsBought',
  'duplicatePlanEnded',
  'paymentFailed',
  'paymentReceived',
  'planCancelled',
  'planChangeCalledOff',
  'planChangeScheduled',
  'planChanged',
  'planEnded',
  'planRenewed',
  'planResumed',
])

const planLabel = (type: string) => (type in PLANS ? PLANS[type as PlanName].label : type)

export function formatDetail({ action, detail }: Pick<AuditLine, 'action' | 'detail'>): string {
  const text = (name: string) => (typeof detail[name] === 'string' ? detail[name] : '')
  const plan = planLabel(text('plan'))
  switch (action) {
    case 'creditsBought':
      return `${Number(detail['credits']).toLocaleString('en-US')} credits for ${formatDollars(Number(detail['dollars']))}`
    case 'planChanged':
      return `From ${planLabel(text('from'))} to ${planLabel(text('to'))}`
    case 'planChangeScheduled':
      return `To ${planLabel(text('to'))} on ${text('on')}`
    case 'planChangeCalledOff':
      return `To ${planLabel(text('to'))}`
    case 'planCancelled':
      return `${plan}, ends on ${text('ends')}`
    case 'planRenewed':
      return `${plan}, until ${text('until')}`
    case 'planEnded':
      return `${plan}, on ${text('on')}`
    case 'loginPasswordRestored':
      return `${text('login')} had changed it`
    case 'updateAccount':
    case 'updateWorkspace':
      return text('from') && `From ${text('from')} to ${text('to')}`
    case 'updateMemberAccess':
      return [text('name'), text('what')].filter((part) => part !== '').join(': ')
    case 'expiredAccountWarned':
      return `The account will be deleted on ${text('on')}`
    case 'signIn':
      return capitalize(text('reason'))
    default:
      return plan || text('name')
  }
}

const capitalize = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

/** `getPortalLink` becomes `Get portal link`. */
export function formatAction(action: string): string {
  const text = ACTIONS[action]
  if (text) return text
  const words = action.replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2').toLowerCase()
  return words.charAt(0).toUpperCase() + words.slice(1)
}

export const OUTCOMES: Record<AuditLine['outcome'], { text: string; tone: Tone }> = {
  done: { text: 'Done', tone: 'success' },
  refused: { text: 'Refused', tone: 'warning' },
  failed: { text: 'Failed', tone: 'danger' },
}

export function parseOutcome(text: string | null): AuditLine['outcome'] | '' {
  return text !== null && text in OUTCOMES ? (text as AuditLine['outcome']) : ''
}

/** Two ids may have the same text; both are sent to the server. */
export function actionOptions(lines: readonly AuditLine[]): { value: string; label: string }[] {
  const seen = new Set([...Object.keys(ACTIONS), ...lines.map((entry) => entry.action)])
  seen.delete('acceptInvite')
  return [...seen]
    .map((value) => ({ value, label: formatAction(value) }))
    .toSorted((a, b) => a.label.localeCompare(b.label))
}

export function formatActor(entry: Pick<AuditLine, 'who' | 'action'>): string {
  if (entry.who) return entry.who.name || entry.who.email
  return BY_PROVIDER.has(entry.action) ? 'Payment provider' : 'Trellis'
}
