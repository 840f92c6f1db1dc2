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

export function NewUser({ scope }: { scope: AdminScope }) {
  const members = useWorkspaceMembers(scope.address)
  const profiles = useProfiles(scope)
  const create = useCreateProfile()
  const navigate = useNavigate()
  const [user, setUser] = useState('')
  const [roles, setRoles] = useState<string[]>([])
  const [groups, setGroups] = useState<string[]>([])
  const addedUserCodes = new Set(profiles.data?.map((profile) => profile.trellis_user_code))
  const save = () =>
    create.mutate(
      {
        params: scope.address,
        body: {
          integration_trellis_code: scope.database,
          trellis_user_code: user,
          role_trellis_codes: roles,
          group_trellis_codes: groups,
        },
      },
      {
        onSuccess: (createdProfile) =>
          void navigate(scope.path('users', createdProfile.profile_trellis_code), { replace: true }),
      },
    )
  return (
    <div className={styles.stack}>
      <Card>
        <Loaded query={members} subject="The members">
          {(data) => (
            <Select
              label="Member of the workspace"
              placeholder="Choose a member"
              value={user}
              hint={
                data.every((item) => addedUserCodes.has(item.profile.trellis_user_code))
                  ? 'Every member is in already.'
                  : undefined
              }
              onChange={(event) => setUser(event.target.value)}
              options={data.map(({ profile }) => ({
                value: profile.trellis_user_code,
                label: `${profile.first_name} ${profile.surname} (${profile.email})`,
                isDisabled: addedUserCodes.has(profile.trellis_user_code),
              }))}
            />
          )}
        </Loaded>
      </Card>
      <Card>
        <div className={styles.two}>
          <RolePicker scope={scope} value={roles} onChange={setRoles} />
          <GroupPicker scope={scope} value={groups} onChange={setGroups} />
        </div>
      </Card>
      {create.isError && <Banner tone="danger">{create.error.message}</Banner>}
      <div className={styles.foot}>
        <ButtonLink to={scope.path('users')}>Cancel</ButtonLink>
        <Button variant="primary" disabled={user === '' || !scope.canWrite} isBusy={create.isPending} onClick={save}>
          Add user
        </Button>
      </div>
    </div>
  )
}
