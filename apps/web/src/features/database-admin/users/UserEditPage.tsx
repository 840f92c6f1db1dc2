import type { DatabaseProfile } from '@trellis/contract/database-admin/database-admin.schemas'
import { lazy, Suspense, useState } from 'react'
import { useNavigate, useParams } from 'react-router'
import { Button, ButtonLink } from '../../../ui/actions/Button.tsx'
import { Avatar } from '../../../ui/data/Avatar.tsx'
import { Banner } from '../../../ui/feedback/Banner.tsx'
import { Skeleton } from '../../../ui/feedback/Skeleton.tsx'
import { Card } from '../../../ui/layout/Card.tsx'
import { ConfirmDialog } from '../../../ui/overlays/ConfirmDialog.tsx'
import type { AdminScope } from '../admin-scope.ts'
import { AdminFrame } from '../AdminFrame.tsx'
import { useDeleteProfile, useProfile, useUpdateProfile } from '../database-admin.queries.ts'
import styles from '../database-admin.module.css'
import { Loaded } from '../../../app/loading/Loaded.tsx'
import { GroupPicker, RolePicker } from '../RolePicker.tsx'

const NewUser = lazy(async () => ({ default: (await import('./NewUser.tsx')).NewUser }))
const AccessCard = lazy(async () => ({ default: (await import('./AccessCard.tsx')).AccessCard }))

export function Component() {
  const { userId } = useParams()
  return (
    <AdminFrame
      hasTabs={false}
      title={userId === undefined ? 'Add a user' : 'User'}
      subtitle="Roles and groups add to what the workspace role allows."
    >
      {(scope) =>
        userId === undefined ? (
          <Suspense fallback={<Skeleton height={320} />}>
            <NewUser scope={scope} />
          </Suspense>
        ) : (
          <LoadedUser scope={scope} code={userId} />
        )
      }
    </AdminFrame>
  )
}

function LoadedUser({ scope, code }: { scope: AdminScope; code: string }) {
  const profile = useProfile(scope, code)
  return (
    <Loaded query={profile} subject="The user">
      {(data) => <EditUser key={data.profile_trellis_code} scope={scope} profile={data} />}
    </Loaded>
  )
}

function EditUser({ scope, profile }: { scope: AdminScope; profile: DatabaseProfile }) {
  const update = useUpdateProfile()
  const [roles, setRoles] = useState(profile.role_trellis_codes)
  const [groups, setGroups] = useState(profile.group_trellis_codes)
  const [isRemoving, setRemoving] = useState(false)
  const isDirty =
    roles.toSorted().join() !== profile.role_trellis_codes.toSorted().join() ||
    groups.toSorted().join() !== profile.group_trellis_codes.toSorted().join()
  const save = () =>
    update.mutate({
      params: scope.address,
      body: {
        integration_trellis_code: scope.database,
        profile_trellis_code: profile.profile_trellis_code,
        role_trellis_codes: roles,
        group_trellis_codes: groups,
      },
    })
  return (
    <div className={styles.stack}>
      <Card>
        <Avatar name={profile.name} email={profile.email} />
      </Card>
      <Card
        title="Roles and groups"
        footer={
          scope.canWrite && (
            <Button variant="primary" disabled={!isDirty} isBusy={update.isPending} onClick={save}>
              Save
            </Button>
          )
        }
      >
        <div className={styles.two}>
          <RolePicker scope={scope} value={roles} onChange={setRoles} />
          <GroupPicker scope={scope} value={groups} onChange={setGroups} />
        </div>
        {update.isError && <Banner tone="danger">{update.error.message}</Banner>}
      </Card>
      <Suspense fallback={<Skeleton height={120} />}>
        <AccessCard scope={scope} profile={profile} />
      </Suspense>
      <div className={styles.foot}>
        <span>
          {scope.canWrite && (
            <Button variant="danger" onClick={() => setRemoving(true)}>
              Remove from the database…
            </Button>
          )}
        </span>
        <ButtonLink to={scope.path('users')}>Back to the users</ButtonLink>
      </div>
      {isRemoving && <RemoveDialog scope={scope} profile={profile} onClose={() => setRemoving(false)} />}
    </div>
  )
}

interface RemoveProps {
  scope: AdminScope
  profile: DatabaseProfile
  onClose: () => void
}

function RemoveDialog({ scope, profile, onClose }: RemoveProps) {
  const remove = useDeleteProfile()
  const navigate = useNavigate()
  const params = { ...scope.params, profile_trellis_code: profile.profile_trellis_code }
  return (
    <ConfirmDialog
      title={`Remove ${profile.name} from the database?`}
      confirmLabel="Remove"
      isBusy={remove.isPending}
      error={remove.error?.message}
      onConfirm={() => remove.mutate({ params }, { onSuccess: () => void navigate(scope.path('users')) })}
      onClose={onClose}
    >
      Their login for outside tools ends at once, and so do their roles here. They stay a member of the workspace, and
      what they created stays.
    </ConfirmDialog>
  )
}
