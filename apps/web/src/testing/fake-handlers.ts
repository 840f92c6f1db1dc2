import type { Notifications } from '@trellis/contract/notifications/notifications.endpoints'
import type { PasswordChange } from '@trellis/contract/profile/profile.schemas'
import type * as z from 'zod/mini'
import { actionsHandlers } from './ai/fake-actions-handlers.ts'
import { documentsHandlers } from './ai/fake-documents-handlers.ts'
import { aiHandlers } from './ai/fake-ai-handlers.ts'
import { modelHandlers } from './ai/fake-model-handlers.ts'
import { scheduledQuestionsHandlers } from './ai/fake-scheduled-questions-handlers.ts'
import { accountHandlers } from './fake-account-handlers.ts'
import { billingHandlers } from './fake-billing-handlers.ts'
import { databaseAdminHandlers } from './fake-database-admin-handlers.ts'
import { dataflowHandlers } from './dataflows/fake-dataflow-handlers.ts'
import { runHandlers } from './dataflows/fake-run-handlers.ts'
import { setupHandlers } from './dataflows/fake-setup-handlers.ts'
import { FakeError } from './fake-error.ts'
import { dashboardHandlers } from './dataflows/fake-dashboard-handlers.ts'
import { explorerHandlers } from './fake-explorer-handlers.ts'
import type { Handler } from './fake-handler.ts'
import { integrationHandlers } from './fake-integration-handlers.ts'
import { sandboxHandlers } from './fake-sandbox-handlers.ts'
import { sparkHandlers } from './sparks/fake-spark-handlers.ts'
import { uploadHandlers } from './fake-upload-handlers.ts'
import { RECOVERY_CODES, RIGHT_CODE, type FakeWorld } from './fake-world.ts'

const done = { done: true as const }
const token = { access_token: 'fake-token', token_type: 'Bearer', expires_in: 600 }

/** A call without a handler is answered with 404. */
export const fakeHandlers: Record<string, Handler | undefined> = {
  ...billingHandlers,
  ...actionsHandlers,
  ...documentsHandlers,
  ...aiHandlers,
  ...modelHandlers,
  ...scheduledQuestionsHandlers,
  ...accountHandlers,
  ...uploadHandlers,
  ...databaseAdminHandlers,
  ...explorerHandlers,
  ...integrationHandlers,
  ...dataflowHandlers,
  ...setupHandlers,
  ...runHandlers,
  ...dashboardHandlers,
  ...sandboxHandlers,
  ...sparkHandlers,
  login: () => token,
  refreshToken: (world) => {
    if (!world.isSignedIn) throw new FakeError('not_signed_in')
    return token
  },
  logout: (world) => {
    world.isSignedIn = false
    return done
  },
  getSsoProvider: () => ({ enabled: false, name: null }),
  getProfile: (world) => world.profile,
  listAccounts: (world) => world.accounts,
  updateProfile: (world, { body }) => {
    const { firstName, surname, preferences } = body as {
      firstName?: string
      surname?: string
      preferences?: FakeWorld['profile']['preferences']
    }
    const { profile } = world
    world.profile = {
      ...profile,
      first_name: firstName ?? profile.first_name,
      surname: surname ?? profile.surname,
      preferences: preferences ?? profile.preferences,
      flags: preferences ? { ...profile.flags, theme_chosen: true } : profile.flags,
    }
    return world.profile
  },
  listNotifications: (world) => world.notifications,
  readNotifications: (world, { body }) => {
    const { ids } = body as { ids?: number[] }
    const { notifications } = world
    const items = notifications.items.map((item) => ({
      ...item,
      is_read: item.is_read || (ids?.includes(item.id) ?? true),
    }))
    world.notifications = { ...notifications, items, unread: items.filter((item) => !item.is_read).length }
    return done
  },
  updateDigest: (world, { body }) => {
    world.notifications = { ...world.notifications, ...(body as { digest: Notifications['digest'] }) }
    return done
  },
  changePassword: (world, { body }) => {
    const { current_password, new_password, revoke_tokens } = body as z.infer<typeof PasswordChange>
    if (current_password !== world.password) throw new FakeError('password_wrong')
    world.password = new_password
    world.sessions = world.sessions.filter((session) => session.is_current)
    if (revoke_tokens === true) world.company.tokens = []
    return done
  },
  listSessions: (world) => world.sessions,
  endSession: (world, { params }) => {
    if (!world.sessions.some((session) => session.id === params['session_id'])) throw new FakeError('not_found')
    world.sessions = world.sessions.filter((session) => session.id !== params['session_id'])
    return done
  },
  endAllSessions: (world) => {
    world.sessions = []
    world.isSignedIn = false
    return done
  },
  getSecondFactor: (world) => world.secondFactor,
  setUpSecondFactor: () => ({
    secret: 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP',
    otpauth_url: 'otpauth://totp/Trellis:ada@example.com?secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP&issuer=Trellis',
  }),
  confirmSecondFactor: (world, { body }) => {
    if ((body as { code: string }).code !== RIGHT_CODE) throw new FakeError('second_factor_wrong')
    world.secondFactor = { enabled: true, recovery_codes_left: RECOVERY_CODES.length }
    return { recovery_codes: RECOVERY_CODES }
  },
  renewRecoveryCodes: (world, { body }) => {
    const { password, code } = body as { password?: string; code: string }
    if (password !== world.password) throw new FakeError('password_wrong')
    if (code !== RIGHT_CODE) throw new FakeError('second_factor_wrong')
    world.secondFactor = { enabled: true, recovery_codes_left: RECOVERY_CODES.length }
    return { recovery_codes: RECOVERY_CODES }
  },
  disableSecondFactor: (world, { body }) => {
    const { password, code } = body as { password: string; code: string }
    if (password !== world.password) throw new FakeError('password_wrong')
    if (code !== RIGHT_CODE) throw new FakeError('second_factor_wrong')
    world.secondFactor = { enabled: false, recovery_codes_left: 0 }
    return done
  },
  listMailbox: (world, { query }) => {
    const words = (query['search'] ?? '').toLowerCase()
    return world.mails.filter((mail) => `${mail.subject} ${mail.to}`.toLowerCase().includes(words))
  },
  getMailboxMessage: (world, { params }) => {
    const mail = world.mails.find((candidate) => String(candidate.id) === params['message_id'])
    if (!mail) throw new FakeError('not_found')
    return mail
  },
}
