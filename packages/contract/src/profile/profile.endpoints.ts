import { defineEndpoint } from '../core/endpoint.ts'
import { Done } from '../core/shapes.ts'
import { FlagsPatch, PasswordChange, Profile, ProfilePatch } from './profile.schemas.ts'

const feature = 'profile'
const permission = 'profile:self'

export const getProfile = defineEndpoint({
  id: 'getProfile',
  feature,
  permission,
  method: 'GET',
  path: '/profile-token',
  summary: 'My profile',
  response: Profile,
})

export const updateProfile = defineEndpoint({
  id: 'updateProfile',
  feature,
  permission,
  method: 'PATCH',
  path: '/profile-token',
  summary: 'Change my name or theme',
  body: ProfilePatch,
  response: Profile,
})

export const updateFlags = defineEndpoint({
  id: 'updateFlags',
  feature,
  permission,
  method: 'PATCH',
  path: '/profile-token/flags',
  summary: 'Remember or forget flags of my profile',
  body: FlagsPatch,
  response: Profile,
  quiet: true,
})

export const changePassword = defineEndpoint({
  id: 'changePassword',
  feature,
  permission,
  method: 'POST',
  path: '/profile-token/password',
  summary: 'Change my password; every other session is signed out',
  body: PasswordChange,
  response: Done,
  errors: ['password_wrong'],
  limit: { ip: [30, 900] },
})

export const profileEndpoints = [getProfile, updateProfile, updateFlags, changePassword]
