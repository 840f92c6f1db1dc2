import { type Mail, renderMail } from './layout.ts'

const MAX_LISTED = 20

interface Line {
  readonly title: string
  readonly detail: string
  readonly count: number
  readonly at: Date
}

export function digestMail(about: { firstName: string; notifications: readonly Line[]; publicUrl: string }): Mail {
  const { notifications } = about
  const subject = notifications.length === 1 ? '1 unread notification' : `${notifications.length} unread notifications`
  const listedNotifications = notifications.slice(0, MAX_LISTED)
  return renderMail({
    subject,
    preview: listedNotifications[0]?.title ?? '',
    firstName: about.firstName,
    publicUrl: about.publicUrl,
    blocks: [
      {
        kind: 'table',
        columns: ['When (UTC)', 'What happened'].map((name) => ({ name, isNumber: false })),
        rows: listedNotifications.map(({ title, detail, count, at }) => [
          at.toISOString().slice(0, 16).replace('T', ' '),
          `${title}${count > 1 ? ` (${count} times)` : ''}. ${detail}`,
        ]),
      },
      ...(notifications.length > MAX_LISTED
        ? [{ kind: 'text', text: `And ${notifications.length - MAX_LISTED} more.` } as const]
        : []),
      { kind: 'button', label: 'Open Trellis', url: `${about.publicUrl}/workspaces` },
      { kind: 'note', text: 'You chose this digest under the bell in Trellis, where it can be turned off.' },
    ],
  })
}
