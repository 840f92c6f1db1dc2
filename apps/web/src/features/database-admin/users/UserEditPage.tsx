import type { DatabaseProfile } from '@trellis/contract/database-admin/database-admin.schemas'
import { useState } from 'react'
import { useNavigate, useParams } from 'react-router'
import { Button, ButtonLink } from '../../../ui/actions/Button.tsx'
import { Avatar } from '../../../ui/data/Avatar.tsx'
import { Banner } from '../../../ui/feedback/Banner.tsx'
import { Select } from '../../../ui/forms/Select.tsx'
import { Card } from '../../../ui/layout/Card.tsx'
import { ConfirmDialog } from '../../../ui/overlays/ConfirmDialog.tsx'
import { useWorkspaceMembers } from '../../members/members.queries.ts'
import type { AdminPlace } from '../admin-place.ts'
import { AdminFrame } from '../AdminFrame.tsx'
import {
  useCreateProfile,
  useDeleteProfile,
  useProfile,
  useProfiles,
  useUpdateProfile,
} from '../database-admin.queries.ts'
import styles from '../database-admin.module.css'
import { Loaded } from '../Loaded.tsx'
import { GroupPicker, RolePicker } from '../RolePicker.tsx'
import { AccessCard } from './AccessCard.tsx'

export function Component() {
  const { userId } = useParams()
  return (
    <AdminFrame
      hasTabs={false}
      title={userId === undefined ? 'Add a user' : 'User'}
      subtitle="Roles and groups add to what the workspace role allows."
    >
      {(place) => (userId === undefined ? <NewUser place={place} /> : <Known place={place} code={userId} />)}
    </AdminFrame>
  )
}

function NewUser({ place }: { place: AdminPlace }) {
  const members = useWorkspaceMembers(place.address)
  const profiles = useProfiles(place)
  const create = useCreateProfile()
  const navigate = useNavigate()
  const [user, setUser] = useState('')
  const [roles, setRoles] = useState<string[]>([])
  const [groups, setGroups] = useState<string[]>([])
  const known = new Set(profiles.data?.map((one) => one.trellis_user_code))
  const save = () =>
    create.mutate(
      {
        params: place.address,
        body: {
          integration_trellis_code: place.database,
          trellis_user_code: user,
          role_trellis_codes: roles,
          group_trellis_codes: groups,
        },
      },
      { onSuccess: (made) => void navigate(place.path('users', made.profile_trellis_code), { replace: true }) },
    )
  return (
    <div className={styles.stack}>
      <Card>
        <Loaded query={members} what="The members">
          {(data) => (
            <Select
              label="Member of the workspace"
              placeholder="Choose a member"
              value={user}
              hint={
                data.every((one) => known.has(one.profile.trellis_user_code))
                  ? 'Every member is in already.'
                  : undefined
              }
              onChange={(event) => setUser(event.target.value)}
              options={data.map(({ profile }) => ({
                value: profile.trellis_user_code,
                label: `${profile.first_name} ${profile.surname} (${profile.email})`,
                isDisabled: known.has(profile.trellis_user_code),
              }))}
            />
          )}
        </Loaded>
      </Card>
      <Card>
        <div className={styles.two}>
          <RolePicker place={place} value={roles} onChange={setRoles} />
          <GroupPicker place={place} value={groups} onChange={setGroups} />
        </div>
      </Card>
      {create.isError && <Banner tone="danger">{create.error.message}</Banner>}
      <div className={styles.foot}>
        <ButtonLink to={place.path('users')}>Cancel</ButtonLink>
        <Button variant="primary" disabled={user === '' || !place.canWrite} isBusy={create.isPending} onClick={save}>
          Add user
        </Button>
      </div>
    </div>
  )
}

function Known({ place, code }: { place: AdminPlace; code: string }) {
  const profile = useProfile(place, code)
  return (
    <Loaded query={profile} what="The user">
      {(data) => <EditUser key={data.profile_trellis_code} place={place} profile={data} />}
    </Loaded>
  )
}

function EditUser({ place, profile }: { place: AdminPlace; profile: DatabaseProfile }) {
  const update = useUpdateProfile()
  const [roles, setRoles] = useState(profile.role_trellis_codes)
  const [groups, setGroups] = useState(profile.group_trellis_codes)
  const [isRemoving, setRemoving] = useState(false)
  const isDirty =
    roles.toSorted().join() !== profile.role_trellis_codes.toSorted().join() ||
    groups.toSorted().join() !== profile.group_trellis_codes.toSorted().join()
  const save = () =>
    update.mutate({
      params: place.address,
      body: {
        integration_trellis_code: place.database,
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
          place.canWrite && (
            <Button variant="primary" disabled={!isDirty} isBusy={update.isPending} onClick={save}>
              Save
            </Button>
          )
        }
      >
        <div className={styles.two}>
          <RolePicker place={place} value={roles} onChange={setRoles} />
          <GroupPicker place={place} value={groups} onChange={setGroups} />
        </div>
        {update.isError && <Banner tone="danger">{update.error.message}</Banner>}
      </Card>
      <AccessCard place={place} profile={profile} />
      <div className={styles.foot}>
        <span>
          {place.canWrite && (
            <Button variant="danger" onClick={() => setRemoving(true)}>
              Take out of the database…
            </Button>
          )}
        </span>
        <ButtonLink to={place.path('users')}>Back to the users</ButtonLink>
      </div>
      {isRemoving && <RemoveDialog place={place} profile={profile} onClose={() => setRemoving(false)} />}
    </div>
  )
}

interface RemoveProps {
  place: AdminPlace
  profile: DatabaseProfile
  onClose: () => void
}

function RemoveDialog({ place, profile, onClose }: RemoveProps) {
  const remove = useDeleteProfile()
  const navigate = useNavigate()
  const params = { ...place.params, profile_trellis_code: profile.profile_trellis_code }
  return (
    <ConfirmDialog
      title={`Take ${profile.name} out of the database?`}
      confirmLabel="Take out"
      isBusy={remove.isPending}
      error={remove.error?.message}
      onConfirm={() => remove.mutate({ params }, { onSuccess: () => void navigate(place.path('users')) })}
      onClose={onClose}
    >
      Their login for outside tools ends at once, and so do their roles here. They stay a member of the workspace, and
      what they made stays.
    </ConfirmDialog>
  )
}
