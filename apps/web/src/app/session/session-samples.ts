import type { Account } from '@trellis/contract/accounts/accounts.schemas'
import type { Profile } from '@trellis/contract/profile/profile.schemas'

export const profile: Profile = {
  id: 7,
  trellis_user_code: 'u-ada',
  first_name: 'Ada',
  surname: 'Lovelace',
  email: 'ada@example.com',
  has_password: true,
  preferences: { themeMode: 'light' },
  flags: {},
}

export const account: Account = {
  id: 1,
  trellis_code: 'analytical',
  name: 'Analytical',
  account_type: 'team',
  role: 'owner',
  stripe_plan_end_date: null,
  stripe_plan_renewal_date: null,
  stripe_plan_cancelled_at: null,
  workspaces: [
    {
      trellis_code: 'w-1',
      name: 'Engine',
      workspace_address: 'engine',
      account_trellis_code: 'analytical',
      role: 'workspace_admin',
    },
  ],
}
