// Prints the stages of a night, in Go. cgo reads the header, and pkg-config finds the library.
package main

// #cgo pkg-config: vitalwire
// #include <stdlib.h>
// #include <vitalwire.h>
import "C"

import (
	"fmt"
	"os"
	"unsafe"
)

// Copies the text, because the view is valid only as long as the object it was read from.
func text(of C.vitalwire_str) string { return C.GoStringN(of.data, C.int(of.length)) }

func main() {
	var client *C.vitalwire_client
	var night *C.vitalwire_sleep_record
	var failure *C.vitalwire_error
	id := C.CString(os.Getenv("VITALWIRE_SLEEP_ID"))
	defer C.free(unsafe.Pointer(id))
	params := C.vitalwire_sleeps_get_params_new(C.vitalwire_str_from(id))
	defer C.vitalwire_sleeps_get_params_free(params)
	C.vitalwire_sleeps_get_params_set_include_stages(params, true)
	code := C.vitalwire_client_from_env(&client, &failure)
	if code == C.VITALWIRE_OK {
		defer C.vitalwire_client_free(client)
		code = C.vitalwire_client_sleeps_get(client, params, nil, nil, &night, &failure)
	}
	if code != C.VITALWIRE_OK {
		fmt.Fprintln(os.Stderr, text(C.vitalwire_error_message(failure)))
		C.vitalwire_error_free(failure)
		os.Exit(1)
	}
	defer C.vitalwire_sleep_record_free(night)
	for at := C.size_t(0); at < C.vitalwire_sleep_record_stages_count(night); at++ {
		stage := C.vitalwire_sleep_record_stages_at(night, at)
		var milliseconds C.int64_t
		C.vitalwire_sleep_stage_duration(stage, &milliseconds)
		fmt.Printf("%s %d min\n", text(C.vitalwire_sleep_stage_stage(stage)), milliseconds/60000)
	}
}
