import { type Mail, renderMail } from './layout.ts'

export function expiredDataMail(about: {
  firstName: string
  accountName: string
  on: string
  publicUrl: string
}): Mail {
  return renderMail({
    subject: `${about.accountName} will be deleted on ${about.on}`,
    preview: 'Reactivate the plan or export the data before then.',
    firstName: about.firstName,
    publicUrl: about.publicUrl,
    blocks: [
      {
        kind: 'text',
        text: `The plan of the account ${about.accountName} has ended, and its data is kept for 30 days after that. On ${about.on} the account is deleted with its workspaces and their databases.`,
      },
      { kind: 'text', text: 'Reactivate the plan to keep the account, or export what you need before then.' },
      { kind: 'button', label: 'Open the account', url: `${about.publicUrl}/workspaces` },
      { kind: 'note', text: 'After the deletion the owner can still restore the account for 7 days.' },
    ],
  })
}
