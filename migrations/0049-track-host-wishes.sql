-- Hosts can be searched by what they said before they registered, so a search has to notice changes of it.
call track_changes('host_wishes');
