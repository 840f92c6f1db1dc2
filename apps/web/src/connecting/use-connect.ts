import {
  createIntegration,
  deleteIntegration,
  getValidationStatus,
  listIntegrations,
  updateIntegration,
  validateIntegration,
} from '@trellis/contract/integrations/integrations.endpoints'
import type {
  CreateIntegration,
  IntegrationDetails,
  ValidationStatus,
} from '@trellis/contract/integrations/integrations.schemas'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import type * as z from 'zod/mini'
import type { WorkspaceAddress } from '../api/workspace-address.ts'
import { call } from '../api/call.ts'

const ASK_AGAIN_MS = 700

type NewConnection = z.infer<typeof CreateIntegration>

/**
 * Creates a connection and tests it. A retry updates the same connection, and one that never worked is deleted on
 * unmount, so that a wrong password leaves nothing behind.
 */
export function useConnect(address: WorkspaceAddress) {
  const client = useQueryClient()
  const createdIntegration = useRef<IntegrationDetails | null>(null)
  const leaving = useRef(new AbortController())
  const [isBusy, setBusy] = useState(false)
  const params = (code: string) => ({ params: { ...address, integration_trellis_code: code } })
  const discard = useRef(() => {})
  discard.current = () => {
    const code = createdIntegration.current?.integration_trellis_code
    if (code === undefined) return
    createdIntegration.current = null
    void call(deleteIntegration, params(code))
      .catch(() => undefined)
      .then(() => client.invalidateQueries({ queryKey: [listIntegrations.id] }))
  }
  useEffect(() => {
    leaving.current = new AbortController()
    return () => {
      leaving.current.abort()
      discard.current()
    }
  }, [])

  const save = async (body: NewConnection): Promise<IntegrationDetails> => {
    const { current: existingIntegration } = createdIntegration
    if (!existingIntegration) return await call(createIntegration, { params: address, body })
    const { name, description, values } = body
    const change = {
      name,
      values,
      version: existingIntegration.version,
      ...(description !== undefined && { description }),
    }
    return await call(updateIntegration, { ...params(existingIntegration.integration_trellis_code), body: change })
  }
  const connect = async (body: NewConnection, { isTested }: { isTested: boolean }) => {
    setBusy(true)
    try {
      const details = await save(body)
      createdIntegration.current = details
      const code = details.integration_trellis_code
      if (!isTested) return { details, status: null }
      // Unchanged settings are not tested again automatically.
      if (details.validation !== 'VALIDATING') await call(validateIntegration, params(code))
      return { details, status: await waitForTest(address, code, leaving.current.signal) }
    } finally {
      setBusy(false)
    }
  }
  const keep = async () => {
    createdIntegration.current = null
    await client.invalidateQueries({ queryKey: [listIntegrations.id] })
  }
  return { connect, keep, isBusy }
}

async function waitForTest(address: WorkspaceAddress, code: string, signal: AbortSignal): Promise<ValidationStatus> {
  const params = { ...address, integration_trellis_code: code }
  for (;;) {
    const status = await call(getValidationStatus, { params }, { signal })
    if (status.status !== 'VALIDATING') return status
    await new Promise((resolve) => setTimeout(resolve, ASK_AGAIN_MS))
  }
}
