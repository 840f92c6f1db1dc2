import {
  confirmSecondFactor,
  disableSecondFactor,
  getSecondFactor,
  renewRecoveryCodes,
  setUpSecondFactor,
} from '@trellis/contract/identity/identity.endpoints'
import { useQuery } from '@tanstack/react-query'
import { apiQuery, useApiMutation } from '../../api/api-query.ts'

export function useSecondFactor() {
  return useQuery(apiQuery(getSecondFactor, {}))
}

export function useSetUpSecondFactor() {
  return useApiMutation(setUpSecondFactor)
}

export function useConfirmSecondFactor() {
  return useApiMutation(confirmSecondFactor, { invalidates: [getSecondFactor] })
}

export function useRenewRecoveryCodes() {
  return useApiMutation(renewRecoveryCodes, { invalidates: [getSecondFactor] })
}

export function useDisableSecondFactor() {
  return useApiMutation(disableSecondFactor, {
    invalidates: [getSecondFactor],
    successText: 'Two-factor sign-in is off.',
  })
}
