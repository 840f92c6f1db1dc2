import { useState } from 'react'
import { CodeBlock } from '../../ui/data/CodeBlock.tsx'
import { Select } from '../../ui/forms/Select.tsx'
import { useCachedAccounts } from '../accounts/accounts.queries.ts'
import { ASSISTANTS, buildSetup, TOKEN_PLACE, toMcpAddress, type Assistant } from './assistant-setup.ts'
import styles from './tokens.module.css'

export function AssistantSetup({ token = TOKEN_PLACE }: { token?: string }) {
  const workspaces = useCachedAccounts().flatMap(({ name: account, workspaces: own }) =>
    own.map(({ account_trellis_code, workspace_address, name }) => ({
      value: toMcpAddress(account_trellis_code, workspace_address),
      label: `${name} (${account})`,
    })),
  )
  const [selected, setSelected] = useState('')
  const [assistant, setAssistant] = useState<Assistant>('claude-code')
  const address = workspaces.some(({ value }) => value === selected) ? selected : workspaces[0]?.value
  if (address === undefined) return <p className={styles.plain}>Create a workspace first: each has its own address.</p>
  const configLocation = ASSISTANTS.find(({ value }) => value === assistant)?.place ?? ''
  return (
    <div className={styles.secret}>
      <div className={styles.choices}>
        <Select
          label="Workspace"
          value={address}
          options={workspaces}
          onChange={(event) => setSelected(event.target.value)}
        />
        <Select
          label="Assistant"
          value={assistant}
          options={ASSISTANTS.map(({ value, label }) => ({ value, label }))}
          onChange={(event) => setAssistant(event.target.value as Assistant)}
        />
      </div>
      <CodeBlock title="Address" code={address} isWrapped />
      <CodeBlock title={configLocation} code={buildSetup(assistant, { address, token })} isWrapped />
      {token === TOKEN_PLACE && (
        <p className={styles.plain}>
          Replace {TOKEN_PLACE} with a token that has the Read scope. An assistant that supports OAuth needs the address
          alone: it opens a page here that asks you.
        </p>
      )}
    </div>
  )
}
