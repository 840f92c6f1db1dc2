import * as calls from '@trellis/contract/profile/profile.endpoints'
import { handle } from '../../http/handle.ts'
import { changePassword } from '../identity/identity.service.ts'
import { getOwnProfile, patchOwnFlags, patchOwnProfile } from './profile.ts'

export const profileRoutes = [
  handle(calls.getProfile, (_, ctx) => getOwnProfile(ctx)),
  handle(calls.updateProfile, ({ body }, ctx) => patchOwnProfile(ctx, body)),
  handle(calls.updateFlags, ({ body }, ctx) => patchOwnFlags(ctx, body)),
  handle(calls.changePassword, ({ body }, ctx) => changePassword(ctx, body)),
]
