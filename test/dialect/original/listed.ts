/** An accepted difference from the recorded server. */
export interface Listed {
  /** Only lines of these groups. */
  readonly groups?: readonly string[]
  /** Limits it to lines whose request matches: method, path, query, body as JSON. */
  readonly asked?: RegExp
  /** A pattern of the reason, as the file of differences prints it. */
  readonly reason: RegExp
  readonly why: string
}

/** All accepted differences, which concern at most an eighth of the lines. */
export const LISTED: readonly Listed[] = [
  {
    asked: /^GET .*"per_page":"(?:abc|1\.5|ALL)"/,
    reason: /^status 200 is 400/,
    why: 'Sizes of pages that are no numbers are refused; there they count as the number that they begin with, or as 0.',
  },
  {
    asked: /^GET .*"order":"name (?:foo|DESC, id ASC)"/,
    reason: /^status 200 is 400, .*an order is one field/,
    why: 'Orders of several fields and unknown directions are refused; there all but the first field is ignored.',
  },
  {
    asked: /^GET .*"search":"(?:name =|id > 0 and|\()"/,
    reason: /^status 200 is 400, .*QueryNotSupported/,
    why: 'A search never matches more than was asked: parts that cannot be understood are refused with their place; there they are ignored.',
  },
  {
    asked: /^(?:GET|DELETE|PUT) \S+\/\{x1\}(?:abc|,\{x2\}| )(?: |$)/,
    reason: /^status 200 is 404/,
    why: 'An id is a number, or one with a dash and anything behind it; there any text names the record whose id it begins with.',
  },
  {
    asked: /^GET \S+\/auto_complete_search /,
    reason: /^status 404 is 200/,
    why: 'Searches are completed for every list here; there for some only.',
  },
  {
    asked: /"ignore_types":\["Nope"\]/,
    reason: /^status 201 is 422/,
    why: 'A type that no resource has is refused and named; there it is stored.',
  },
  {
    asked: /_ids":\["abc"\]/,
    reason: /^error\.message: missing, ours says .*must be a list of ids/,
    why: 'Text in a list of ids is named as such; there it counts as the id 0, which no record has.',
  },
  {
    reason: /^error\.(?:errors\.\w+|full_messages): .*can't be blank.* is .*must be text/,
    why: 'A list or an object in the place of a text is named as such; there it counts as nothing.',
  },
  {
    asked: /^PUT /,
    reason: /^status 200 is 422, .*must be text/,
    why: 'A list or an object in the place of a text is named as such; there it counts as nothing.',
  },
  {
    reason: /^status 20[01] is 422, .*must be true or false/,
    why: 'Words that are neither yes nor no are refused; there all of them mean yes.',
  },
  {
    groups: ['locations', 'organizations'],
    asked: /"parent_id":"abc"/,
    reason: /^error\.message: missing, ours says .*must be an integer/,
    why: 'What is no id is named as such; there it is looked for.',
  },
  {
    groups: ['users'],
    asked: /"default_(?:location|organization)_id":(?:999999|"abc")/,
    reason: /^status 20[01] is 422/,
    why: 'A place that does not exist is refused; there it is ignored.',
  },
  {
    groups: ['users'],
    asked: /"password":"(?:short|x+)"/,
    reason: /^status 201 is 422, .*is too (?:short|long)/,
    why: 'Passwords have at least 8 characters and at most 128.',
  },
  {
    groups: ['users'],
    asked: /^PUT .*"mail":(?:""|null)/,
    reason: /^status 200 is 422/,
    why: 'Who once could be reached by mail stays so.',
  },
  {
    groups: ['users'],
    asked: /"auth_source_name":"nope"/,
    reason: /^status 422 is 201/,
    why: 'An id counts more than a name beside it, which is not looked at.',
  },
  {
    groups: ['usergroups'],
    asked: /"user(?:group)?_ids":\[(?:999999|"abc")\]/,
    reason: /^status 404 is 422/,
    why: 'The member that does not exist is named; there the group itself is said not to exist.',
  },
  {
    groups: ['roles'],
    asked: /organization_id=\{org1\}/,
    reason: /^status 404 is 200/,
    why: 'A role without organizations is there for all of them.',
  },
  {
    groups: ['auth_source_ldaps'],
    asked: /"host":"a{61}"/,
    reason: /^status 422 is 201/,
    why: 'The host may be a list of several servers, and so longer than 60 characters.',
  },
  {
    groups: ['auth_source_ldaps'],
    asked: /^PUT .*"(?:host|tls)":/,
    reason: /has to be sent again, because this changes (?:host|tls)/,
    why: 'The password of the account goes to another server, or another way, only if it is sent again.',
  },
  {
    groups: ['auth_source_ldaps'],
    asked: /"port":"x"/,
    reason: /is not a number.* is .*must be an integer/,
    why: 'A port is a whole number, which text is as little as a fraction.',
  },
  {
    groups: ['users'],
    asked: /"password":""/,
    reason: /^error\.full_messages: .*is too short/,
    why: 'A blank password is too short, too.',
  },
  {
    groups: ['auth_source_ldaps'],
    asked: /"port":(?:0|-1|70000)/,
    reason: /^status 20[01] is 422, .*must be (?:greater|less) than or equal to/,
    why: 'A port is a number between 1 and 65535.',
  },
  {
    groups: ['auth_source_ldaps'],
    asked: /"server_type":(?:""|null)/,
    reason: /^status 422 is 20[01]/,
    why: 'A blank type of server is the usual one.',
  },
  {
    reason: /^error\.message: .*\[WHERE/,
    why: 'Messages hold no parts of database statements.',
  },
  {
    reason: /is not included in the list \(/,
    why: 'The message says which words are allowed.',
  },
  {
    reason: /^error\.errors\.type: missing, ours says \{"family"/,
    why: 'The error names the key that was sent, and says which words are allowed.',
  },
  {
    reason: /is not an IP address|"must be an integer"\]|must be less than or equal to 4095/,
    why: 'The message says what is allowed.',
  },
  {
    groups: ['compute_resources'],
    reason: /^status 422 is 20\d|^message: missing/,
    why: 'The recorded server had no library for any provider, and so made no compute resource; here they are plain records.',
  },
  {
    groups: ['domains'],
    reason: /is not a domain name|^status 201 is 422, .*"name":\["has already been taken"\]|maximum is 254 characters/,
    why: 'Names of domains are in lower case and made of what host names are made of: they become arguments of programs.',
  },
  {
    groups: ['domains', 'subnets', 'hostgroups'],
    asked: /"(?:dns|template|bmc|subnet6|compute_profile|parent|dhcp|tftp|httpboot)_id":/,
    reason:
      /Couldn't find (?:SmartProxy|Subnet|ComputeProfile|Hostgroup)|^status 422 is 20\d|^status 404 is 422|^error\.(?:id|errors): missing/,
    why: 'An id that names nothing is refused everywhere in one way; there some are stored, and blank is not always none.',
  },
  {
    groups: ['hostgroups'],
    asked: /"(?:parent_name|architecture_name|pxe_loader|ancestry|title)"/,
    reason: /^status /,
    why: 'A name that names nothing is refused, and a blank one means none.',
  },
  {
    groups: ['hostgroups'],
    reason: /^error\.errors\.title: missing, ours says \{"name":\["is too long|should be 8 characters or more/,
    why: 'The error names the key that was sent, in the words of all other errors of its kind.',
  },
  {
    groups: ['subnets'],
    reason: /^error\.errors\.(?:cidr|from|to|type): missing|^error\.errors\.(?:mask|mtu): \[/,
    why: 'One message says what is wrong with the key that was sent, also where others follow from it.',
  },
  {
    groups: ['subnets'],
    asked: /"(?:cidr|network_type)":/,
    reason: /^status /,
    why: 'A mask and a length that contradict each other are refused; a blank type is that of the network.',
  },
  {
    groups: ['subnets'],
    asked: /"ipam":"External IPAM"/,
    reason: /^status 422 is 201/,
    why: 'Proxies are not asked for what they can do when a subnet is saved.',
  },
  {
    groups: ['media', 'operatingsystems'],
    reason:
      /^error\.errors\.title: missing|^error\.errors\.(?:path|major): \[.*is \["(?:can't be blank|is too long.*)"\]$|^error\.errors\.minor: \[.*too long/,
    why: 'A blank value is said to be blank, and a long one to be too long, and not to be wrong in another way as well.',
  },
  {
    groups: ['operatingsystems'],
    asked: /"major":(?:-1|7\.5)|"password_hash":(?:""|null)/,
    reason: /^status /,
    why: 'Major versions are digits, by which programs tell systems apart; a blank hash is the usual one.',
  },
  {
    groups: ['media'],
    asked: /"path":"http:\/\/"/,
    reason: /^status 201 is 422/,
    why: 'A URL without a host is none.',
  },
  {
    groups: ['ptables'],
    reason: /^error\.errors\.template: missing, ours says .*"layout"/,
    why: 'The error names the key that was sent.',
  },
  {
    groups: ['ptables'],
    asked: /"snippet":"x"/,
    reason: /^error\.errors\.os_family: missing/,
    why: 'A boolean that is neither true nor false is refused.',
  },
  {
    groups: ['provisioning_templates'],
    asked: /"template_kind_(?:id|name)"|"template_combinations_attributes":"x"/,
    reason: /^status |^error\.message: missing/,
    why: 'Kinds are found by id or by name, also in a flat body; what names nothing, or is no list, is refused.',
  },
  {
    groups: ['common_parameters', 'domains'],
    reason: /(?:key_type|value): missing, ours says .*parameter_type/,
    why: 'The error names the key that was sent.',
  },
  {
    groups: ['common_parameters'],
    asked: /"parameter_type":"boolean"/,
    reason: /^status 200 is 422/,
    why: 'A value that does not fit the new type is refused; there it stays what it was.',
  },
]
