import { useState } from 'react'
import { useNavigate } from 'react-router'
import { Button, ButtonLink } from '../../../ui/actions/Button.tsx'
import { Banner } from '../../../ui/feedback/Banner.tsx'
import { Select } from '../../../ui/forms/Select.tsx'
import { Card } from '../../../ui/layout/Card.tsx'
import { useWorkspaceMembers } from '../../members/members.queries.ts'
import type { AdminScope } from '../admin-scope.ts'
import { useCreateProfile, useProfiles } from '../database-admin.queries.ts'
import styles from '../database-admin.module.css'
import { Loaded } from '../../../app/loading/Loaded.tsx'
import { GroupPicker, RolePicker } from '../RolePicker.tsx'

export function NewUser({ place }: { place: AdminScope }) {
  const members = useWorkspaceMembers(place.address)
  const profiles = useProfiles(place)
  const create = useCreateProfile()
  const navigate = useNavigate()
  const [user, setUser] = useState('')
  const [roles, setRoles] = useState<string[]>([])
  const [groups, setGroups] = useState<string[]>([])
  const known = new Set(profiles.data?.map((profile) => profile.trellis_user_code))
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
                data.every((item) => known.has(item.profile.trellis_user_code))
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
