package access

import "net/netip"

type List struct{ prefixes []netip.Prefix }

func Parse(texts []string) (List, error) {
	var list List
	for _, text := range texts {
		prefix, err := netip.ParsePrefix(text)
		if err != nil {
			return List{}, err
		}
		list.prefixes = append(list.prefixes, prefix.Masked())
	}
	return list, nil
}

// An empty list lets everyone in.
func (l List) Admits(address netip.Addr) bool {
	for _, prefix := range l.prefixes {
		if prefix.Contains(address.Unmap()) {
			return true
		}
	}
	return len(l.prefixes) == 0
}
