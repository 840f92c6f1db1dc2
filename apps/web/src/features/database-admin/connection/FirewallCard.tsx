import type { Firewall, FirewallRule } from '@trellis/contract/database-admin/database-admin.schemas'
import { LocateFixed, Pencil, Plus, ShieldCheck, Trash2 } from 'lucide-react'
import { useState } from 'react'
import type * as z from 'zod/mini'
import { ApiError } from '../../../api/api-error.ts'
import { Button } from '../../../ui/actions/Button.tsx'
import { IconButton } from '../../../ui/actions/IconButton.tsx'
import { DateTime } from '../../../ui/data/DateTime.tsx'
import { Banner } from '../../../ui/feedback/Banner.tsx'
import { EmptyState } from '../../../ui/feedback/EmptyState.tsx'
import { Badge } from '../../../ui/feedback/Status.tsx'
import { showToast } from '../../../ui/feedback/toasts.ts'
import { Card } from '../../../ui/layout/Card.tsx'
import { ConfirmDialog } from '../../../ui/overlays/ConfirmDialog.tsx'
import type { AdminScope } from '../admin-scope.ts'
import { useExternals, useFirewall, useProfiles, useSetFirewall } from '../database-admin.queries.ts'
import styles from '../database-admin.module.css'
import { Loaded } from '../../../app/loading/Loaded.tsx'
import { EMPTY_RULE, myAddressRule, type RuleDraft, toDraft } from './firewall-draft.ts'
import { RuleDialog } from './RuleDialog.tsx'

export function FirewallCard({ scope }: { scope: AdminScope }) {
  const firewall = useFirewall(scope)
  return (
    <Loaded query={firewall} subject="The firewall">
      {(data) => <Rules scope={scope} firewall={data} />}
    </Loaded>
  )
}

function Rules({ scope, firewall }: { scope: AdminScope; firewall: z.infer<typeof Firewall> }) {
  const [adding, setAdding] = useState<RuleDraft | null>(null)
  const [editing, setEditing] = useState<FirewallRule | null>(null)
  const [removing, setRemoving] = useState<FirewallRule | null>(null)
  const getProfileName = useProfileNames(scope)
  return (
    <Card
      isFlush={firewall.rules.length > 0}
      title="Firewall"
      subtitle={`From where logins may connect. You are at ${firewall.your_address}.`}
      actions={
        scope.canWrite && (
          <span className={styles.footEnd}>
            <Button
              icon={<LocateFixed aria-hidden />}
              onClick={() => setAdding(myAddressRule(firewall.your_address, new Date()))}
            >
              Add my IP
            </Button>
            <Button icon={<Plus aria-hidden />} onClick={() => setAdding(EMPTY_RULE)}>
              Add a rule
            </Button>
          </span>
        )
      }
      footer={
        firewall.enforcement === 'outside' ? (
          <Banner tone="info" title="This server is not ours to set">
            {firewall.instructions ?? 'Set these rules where the server runs.'}
          </Banner>
        ) : undefined
      }
    >
      {firewall.rules.length === 0 ? (
        <EmptyState
          icon={<ShieldCheck />}
          title="Nobody can connect from outside"
          subtitle="Add the address of your office or tool. Trellis itself is not affected by these rules."
        />
      ) : (
        <div className={styles.scroll} tabIndex={0} role="region" aria-label="Firewall rules">
          <table className={styles.matrix}>
            <thead>
              <tr>
                <th scope="col">Rule</th>
                <th scope="col">From</th>
                <th scope="col">Who</th>
                <th scope="col">Until</th>
                <th scope="col">
                  <span className="visually-hidden">Actions</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {firewall.rules.map((rule) => (
                <tr key={rule.id}>
                  <th scope="row">
                    {rule.name} {rule.is_expired && <Badge tone="danger">Expired</Badge>}
                    {rule.is_any_address && <Badge tone="warning">Any address</Badge>}
                  </th>
                  <td className={styles.mono}>{rule.cidr}</td>
                  <td>
                    {rule.profile_trellis_code === null ? 'Every login' : getProfileName(rule.profile_trellis_code)}
                  </td>
                  <td>{rule.expires_at === null ? 'no end' : <DateTime value={rule.expires_at} />}</td>
                  <td>
                    {scope.canWrite && (
                      <span className={styles.footEnd}>
                        <IconButton
                          size="sm"
                          label={`Edit ${rule.name}`}
                          icon={<Pencil aria-hidden />}
                          onClick={() => setEditing(rule)}
                        />
                        <IconButton
                          size="sm"
                          label={`Remove ${rule.name}`}
                          icon={<Trash2 aria-hidden />}
                          onClick={() => setRemoving(rule)}
                        />
                      </span>
                    )}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      {adding && <RuleDialog scope={scope} rules={firewall.rules} start={adding} onClose={() => setAdding(null)} />}
      {editing && (
        <RuleDialog
          scope={scope}
          rules={firewall.rules}
          start={toDraft(editing)}
          edited={editing}
          onClose={() => setEditing(null)}
        />
      )}
      {removing && (
        <RemoveRule scope={scope} rules={firewall.rules} rule={removing} onClose={() => setRemoving(null)} />
      )}
    </Card>
  )
}

interface RemoveProps {
  scope: AdminScope
  rules: readonly FirewallRule[]
  rule: FirewallRule
  onClose: () => void
}

/** Confirms twice when the rule is what lets the caller in. */
function RemoveRule({ scope, rules, rule, onClose }: RemoveProps) {
  const put = useSetFirewall()
  const isLockOut = put.error instanceof ApiError && put.error.code === 'lock_out'
  const send = () =>
    put.mutate(
      {
        params: scope.address,
        body: {
          integration_trellis_code: scope.database,
          rules: rules.filter((candidate) => candidate.id !== rule.id).map((rule) => toDraft(rule)),
          accepts_lock_out: isLockOut,
        },
      },
      {
        onSuccess: () => {
          showToast({ tone: 'success', text: 'Rule removed.' })
          onClose()
        },
      },
    )
  return (
    <ConfirmDialog
      title={isLockOut ? 'Shut yourself out?' : `Remove the rule ${rule.name}?`}
      confirmLabel={isLockOut ? 'Remove all the same' : 'Remove'}
      isBusy={put.isPending}
      error={isLockOut ? undefined : put.error?.message}
      onConfirm={send}
      onClose={onClose}
    >
      {isLockOut ? (
        <>
          {put.error?.message} You could not connect with outside tools from here any more; Trellis itself keeps
          working.
        </>
      ) : (
        <>New connections from {rule.cidr} are refused from now on, unless another rule lets them in.</>
      )}
    </ConfirmDialog>
  )
}

function useProfileNames(scope: AdminScope) {
  const externals = useExternals(scope)
  const profiles = useProfiles(scope)
  const all = [...(externals.data ?? []), ...(profiles.data ?? [])]
  return (code: string) => all.find((candidate) => candidate.profile_trellis_code === code)?.name ?? code
}
